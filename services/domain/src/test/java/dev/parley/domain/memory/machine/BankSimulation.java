package dev.parley.domain.memory.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.BankQuota;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.Budget;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryCommand.ChangeBank;
import dev.parley.domain.memory.MemoryCommand.DropGeneration;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.LimitBank;
import dev.parley.domain.memory.MemoryCommand.Reembed;
import dev.parley.domain.memory.MemoryCommand.Reflect;
import dev.parley.domain.memory.MemoryCommand.RemoveDirective;
import dev.parley.domain.memory.MemoryCommand.RemoveMentalModel;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.memory.MemoryCommand.RetireUnit;
import dev.parley.domain.memory.MemoryCommand.SetDirective;
import dev.parley.domain.memory.MemoryCommand.SetMentalModel;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.memory.MentalModel;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.memory.index.BankMemory;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A random run of a bank from one seed: users retain, query and erase; models and workers answer correctly, wrongly,
 * late, twice or never. Each document contains a unique word, which shows whether anything of it remains after its
 * erasure.
 */
final class BankSimulation {
    private static final int STEPS = 90;
    private static final int MAX_TO_THE_END = 1_500;
    private static final List<String> SENTENCES = List.of(
            "Ann likes green tea.",
            "Ann likes green tea.",
            "Bob lives in Oslo.",
            "Bob lives in Bergen.",
            "Carol sold the bakery because Bob left.",
            "Carol plays the cello.");
    private static final List<String> QUESTIONS =
            List.of("What does Ann like?", "Where does Bob live?", "Who plays the cello?", "Which tea is green?");
    private static final List<RecordKey> SESSIONS = List.of(BankFixture.SESSION, RecordKey.of("web:1"));
    private static final Pattern SENTENCE = Pattern.compile("(?:Ann|Bob|Carol|Zorbu\\d+x) [^.\\n]*\\.");
    private static final Pattern WORD = Pattern.compile("Zorbu\\d+x");

    private final Random random;
    private final BankFixture bank;
    private final List<MemoryCommand> commands = new ArrayList<>();
    private final List<CallResult> results = new ArrayList<>();
    private final List<MemoryEffect> openRequests = new ArrayList<>();
    private final Set<UUID> documents = new TreeSet<>();
    /** The unique words of each document, in all its versions. */
    private final Map<UUID, Set<String>> words = new HashMap<>();

    private final Set<String> erased = new HashSet<>();
    private int documentNumber;
    private int effects;
    private int events;

    BankSimulation(long seed) {
        random = new Random(seed);
        bank = new BankFixture(BankFixture.ANN, BankSimulation::meaning);
    }

    /** Texts about one topic have similar vectors, and equal texts have equal ones. */
    private static Vector meaning(String text) {
        String plain = WORD.matcher(text).replaceAll("Zorbu");
        String topic = Stream.of(plain.split(" ")).limit(3).collect(Collectors.joining(" "));
        float[] topicValues = BankFixture.anyMeaning(topic).values();
        float[] textValues = BankFixture.anyMeaning(plain).values();
        var sum = new float[topicValues.length];
        double length = 0;
        for (int i = 0; i < sum.length; i++) {
            sum[i] = topicValues[i] + 0.25f * textValues[i];
            length += sum[i] * sum[i];
        }
        for (int i = 0; i < sum.length; i++) {
            sum[i] /= (float) Math.sqrt(length);
        }
        return Vector.of(sum);
    }

    /** Runs until nothing is in progress or due. */
    void run() {
        for (int i = 0; i < STEPS; i++) {
            step();
        }
        // Without the default allowance, work that waits for budget would wait forever.
        give(new LimitBank(bank.meta(), BankFixture.ANN, BankQuota.DEFAULT));
        for (int i = 0; i < MAX_TO_THE_END && !isAtRest(); i++) {
            if (openRequests.isEmpty()) {
                bank.after(Duration.between(
                        bank.now(), later(BankMachine.nextDue(bank.state()).orElseThrow())));
                check(null);
            } else {
                give(new MemoryInput.Answered(success(openRequests.removeFirst())));
            }
        }
        assertTrue(isAtRest(), () -> "it is never done: " + BankMachine.nextDue(bank.state()) + " " + bank.state());
        assertEquals(0, bank.state().pending(), "chunks wait for ever");
        assertEquals(List.of(), bank.state().thoughts(), "thoughts go on for ever");
        assertEquals(List.of(), bank.state().budget().reserved(), "something is reserved for ever");
        commands.forEach(command -> assertTrue(
                bank.outcome(command.meta().commandId()).isPresent(), () -> "it has no outcome: " + command));
        checkReplay();
    }

    private Instant later(Instant due) {
        return due.isAfter(bank.now()) ? due : bank.now().plusMillis(1);
    }

    private boolean isAtRest() {
        return openRequests.isEmpty() && BankMachine.nextDue(bank.state()).isEmpty();
    }

    private void step() {
        int kind = random.nextInt(100);
        if (kind < 40) {
            command();
        } else if (kind < 44 && !commands.isEmpty()) {
            give(pick(commands));
        } else if (kind < 48 && !results.isEmpty()) {
            give(new MemoryInput.Answered(pick(results)));
        } else if (kind < 90) {
            if (!openRequests.isEmpty()) {
                work(openRequests.remove(random.nextInt(openRequests.size())));
            }
        } else {
            bank.after(Duration.ofSeconds(random.nextInt(5) == 0 ? random.nextInt(60_000) : random.nextInt(40)));
            check(new MemoryInput.Tick());
        }
        if (random.nextInt(10) == 0) {
            checkReplay();
        }
    }

    // ---- people

    private void command() {
        MemoryCommand command = switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5, 6, 7 -> retain();
            case 8, 9 -> forget();
            case 10 -> new RetireUnit(bank.meta(), BankFixture.ANN, unit(), "it is not so");
            case 11, 12, 13 -> reflect();
            case 14 -> new SetMentalModel(bank.meta(), BankFixture.ANN, model());
            case 15 ->
                random.nextBoolean()
                        ? new RemoveMentalModel(bank.meta(), BankFixture.ANN, model().id())
                        : new RemoveDirective(
                                bank.meta(), BankFixture.ANN, directive().id());
            case 16 -> new SetDirective(bank.meta(), BankFixture.ANN, directive());
            case 17 -> new LimitBank(bank.meta(), BankFixture.ANN, allowance());
            case 18 ->
                random.nextBoolean()
                        ? new Reembed(
                                bank.meta(),
                                BankFixture.ANN,
                                random.nextBoolean() ? BankFixture.FIRST : BankFixture.OTHER)
                        : new DropGeneration(bank.meta(), BankFixture.ANN);
            default ->
                new ChangeBank(
                        bank.meta(),
                        BankFixture.ANN,
                        new BankProfile("ann", 3, 3, 3, null, random.nextBoolean() ? "test/thinker" : null));
        };
        commands.add(command);
        give(command);
    }

    private Retain retain() {
        UUID doc = Ids.of("doc", random.nextInt(8));
        documents.add(doc);
        var sayings = new ArrayList<Utterance>();
        String word = "Zorbu" + documentNumber++ + "x";
        String text = Stream.concat(
                        random.ints(random.nextInt(4), 0, SENTENCES.size()).mapToObj(SENTENCES::get),
                        Stream.of(word + " lives in Riga."))
                .collect(Collectors.joining(" "));
        sayings.add(new Utterance(Role.USER, "Ann", text));
        if (random.nextInt(4) == 0) {
            sayings.add(new Utterance(Role.ASSISTANT, "helper", "I told Bob of " + word + "."));
        }
        return new Retain(
                bank.meta(),
                BankFixture.ANN,
                doc,
                random.nextInt(3) == 0 ? null : pick(SESSIONS),
                turn(),
                1L,
                sayings,
                null,
                random.nextInt(4) == 0 ? List.of("work") : List.of(),
                bank.now(),
                random.nextInt(3) == 0 ? reader() : null,
                random.nextInt(4) == 0 ? bank.now().plus(Duration.ofMinutes(1 + random.nextInt(5_000))) : null);
    }

    private @Nullable UUID turn() {
        return random.nextBoolean() ? Ids.of("turn", random.nextInt(4)) : null;
    }

    private static Agent reader() {
        return Agent.of("reader", "openai", "some-model", "");
    }

    private Forget forget() {
        return switch (random.nextInt(12)) {
            case 0 -> new Forget(bank.meta(), BankFixture.ANN, Forget.What.BANK, null, null);
            case 1 -> new Forget(bank.meta(), BankFixture.ANN, Forget.What.SESSION, null, pick(SESSIONS));
            case 2, 3 ->
                new Forget(bank.meta(), BankFixture.ANN, Forget.What.TURN, Ids.of("turn", random.nextInt(4)), null);
            case 4, 5, 6, 7 -> new Forget(bank.meta(), BankFixture.ANN, Forget.What.UNIT, unit(), null);
            default ->
                new Forget(bank.meta(), BankFixture.ANN, Forget.What.DOCUMENT, Ids.of("doc", random.nextInt(8)), null);
        };
    }

    private UUID unit() {
        List<UUID> ids = Stream.concat(bank.memory.units().stream(), bank.memory.reflections().stream())
                .sorted()
                .toList();
        return ids.isEmpty() || random.nextInt(20) == 0 ? Ids.of("no unit") : pick(ids);
    }

    private Reflect reflect() {
        return new Reflect(
                bank.meta(),
                BankFixture.ANN,
                pick(QUESTIONS),
                null,
                random.nextBoolean() ? null : pick(SESSIONS),
                random.nextInt(5) == 0 ? List.of("work") : List.of(),
                List.of(),
                500,
                random.nextInt(3) == 0 ? reader() : null);
    }

    private MentalModel model() {
        int number = random.nextInt(3);
        return new MentalModel(
                Ids.of("model", number), "m" + number, QUESTIONS.get(number), List.of(), Duration.ofMinutes(10));
    }

    private Directive directive() {
        int number = random.nextInt(2);
        String rule = number == 0 ? "Never give phone numbers." : "Never name the town of Oslo.";
        return new Directive(Ids.of("directive", number), "d" + number, rule, number, random.nextInt(3) > 0);
    }

    private BankQuota allowance() {
        return random.nextInt(3) == 0
                ? BankQuota.DEFAULT
                : new BankQuota(random.nextInt(40), random.nextInt(2_000), random.nextInt(8), random.nextInt(60_000));
    }

    // ---- models and workers

    private void work(MemoryEffect request) {
        int kind = random.nextInt(100);
        if (kind < 8) {
            return; // nobody ever answers
        }
        if (kind < 12) {
            give(new MemoryInput.Unusable(id(request)));
            return;
        }
        CallResult result = kind < 28 ? failure(request) : success(request);
        results.add(result);
        give(new MemoryInput.Answered(result));
    }

    private static UUID id(MemoryEffect request) {
        return switch (request) {
            case MemoryEffect.CallModel model -> model.request().callId();
            case MemoryEffect.Embed embed -> embed.request().callId();
            case MemoryEffect.RunSearch find -> find.search().callId();
            default -> throw new AssertionError("nobody is asked " + request);
        };
    }

    private static int attempt(MemoryEffect request) {
        return switch (request) {
            case MemoryEffect.CallModel model -> model.request().attempt();
            case MemoryEffect.Embed embed -> embed.request().attempt();
            case MemoryEffect.RunSearch find -> find.search().attempt();
            default -> throw new AssertionError("nobody is asked " + request);
        };
    }

    private CallResult failure(MemoryEffect request) {
        UUID id = id(request);
        int attempt = attempt(request);
        return switch (random.nextInt(4)) {
            case 0 -> new CallResult.RetryAfter(id, attempt, Duration.ofSeconds(random.nextInt(90)), "busy");
            case 1 -> new CallResult.CallProgress(id, attempt, "worker");
            case 2 ->
                switch (request) {
                    case MemoryEffect.CallModel _ -> says(id, attempt, List.of(Block.text("hm")));
                    case MemoryEffect.Embed embed ->
                        new CallResult.Embedded(
                                id,
                                attempt,
                                Objects.requireNonNullElse(embed.request().generation(), BankFixture.FIRST),
                                List.of());
                    default -> new CallResult.Found(id, attempt, List.of());
                };
            default -> new CallResult.ModelFailed(id, attempt, ErrorCategory.SERVER, "no", null, List.of());
        };
    }

    private CallResult success(MemoryEffect request) {
        return switch (request) {
            case MemoryEffect.CallModel model -> answer(model.request());
            case MemoryEffect.Embed embed -> bank.embedded(embed.request());
            case MemoryEffect.RunSearch find -> bank.found(find.search());
            default -> throw new AssertionError("nobody is asked " + request);
        };
    }

    private CallResult answer(ModelRequest request) {
        String prompt = request.messages().getFirst().text();
        if (request.agent().prompt().contains("observations of a memory")) {
            return says(request.callId(), request.attempt(), List.of(Block.text(consolidation(prompt))));
        }
        if (request.tools().isEmpty()) {
            String facts = SENTENCE.matcher(prompt)
                    .results()
                    .map(found -> """
                            {"what": "%1$s", "type": "world", "kind": "conversation", "quote": "%1$s"}""".formatted(found.group()))
                    .collect(Collectors.joining(", "));
            return says(request.callId(), request.attempt(), List.of(Block.text("{\"facts\": [" + facts + "]}")));
        }
        if (request.toolsAllowed() && random.nextInt(4) == 0) {
            String query = "{\"query\": \"" + pick(QUESTIONS) + "\"}";
            return says(
                    request.callId(),
                    request.attempt(),
                    List.of(new Block.ToolCall("1", Reflection.SEARCH, query, null)));
        }
        String quoted = SENTENCE.matcher(prompt)
                .results()
                .map(found -> found.group())
                .reduce((_, last) -> last)
                .orElse("Nothing.");
        String answer = random.nextInt(4) == 0 ? "Nobody knows." : "It is said: " + quoted + " [m1] [m99]";
        return says(request.callId(), request.attempt(), List.of(Block.text(answer)));
    }

    /** Random creations, updates and deletions, with valid and invalid quotations. */
    private String consolidation(String prompt) {
        List<String> sentences = SENTENCE.matcher(prompt)
                .results()
                .map(found -> found.group().replace(".", ""))
                .toList();
        if (sentences.isEmpty()) {
            return "{\"create\": []}";
        }
        var text = "%s; %s.".formatted(pick(sentences), pick(sentences));
        var parts = new ArrayList<String>();
        if (prompt.contains("f1 (") && random.nextInt(3) > 0) {
            parts.add("\"create\": [{\"text\": \"%s\", \"facts\": [\"f0\", \"f1\"]}]".formatted(text));
        }
        if (prompt.contains("o0 (") && random.nextBoolean()) {
            parts.add(
                    "\"update\": [{\"observation\": \"o0\", \"text\": \"So %s\", \"facts\": [\"f0\"], \"contradicts\": %b}]"
                            .formatted(text, random.nextBoolean()));
        }
        if (prompt.contains("o1 (") && random.nextInt(4) == 0) {
            parts.add("\"delete\": [{\"observation\": \"o1\"}]");
        }
        return parts.isEmpty() ? "{\"create\": []}" : "{" + String.join(", ", parts) + "}";
    }

    private static CallResult says(UUID id, int attempt, List<Block> blocks) {
        var usage = new Usage(500, 50, 0, 0, 0, 7L);
        return new CallResult.ModelAnswered(id, attempt, blocks, FinishReason.STOP, usage, "test", "thinker", null);
    }

    private <T> T pick(List<T> choice) {
        return choice.get(random.nextInt(choice.size()));
    }

    // ---- invariants after every decision

    private void give(MemoryInput input) {
        bank.decide(input);
        check(input);
        if (random.nextInt(4) == 0) {
            aSecondDeliveryChangesNothing(input);
        }
    }

    private void aSecondDeliveryChangesNothing(MemoryInput input) {
        BankState before = bank.state();
        bank.decide(input);
        assertTrue(
                before.equals(bank.state()),
                () -> "a second delivery of %s:\n%s\n%s".formatted(input, before, bank.state()));
        assertEquals(events, bank.events.size(), () -> "a second delivery made an event: " + input);
        List<MemoryEffect> newEffects = bank.effects.subList(effects, bank.effects.size());
        assertTrue(
                newEffects.stream().allMatch(MemoryEffect.SendOutcome.class::isInstance),
                () -> "a second delivery of " + input + " had effects: " + newEffects);
        effects = bank.effects.size();
    }

    private void check(@Nullable MemoryInput input) {
        List<MemoryEvent> newEvents = bank.events.subList(events, bank.events.size());
        List<MemoryEffect> newEffects = bank.effects.subList(effects, bank.effects.size());
        newEvents.forEach(this::eventsContainNothingErased);
        Stream.of(MemoryEffect.CallModel.class, MemoryEffect.Embed.class, MemoryEffect.RunSearch.class)
                .flatMap(type -> bank.asks(type).stream())
                .forEach(openRequests::add);
        boolean erases = newEvents.stream().anyMatch(Forgotten.class::isInstance);
        if (erases) {
            // The recipient drops such requests.
            openRequests.removeIf(effect -> containsAny(effect.toString(), erased));
            stateContainsNothingErased();
        }
        newEffects.stream()
                .filter(effect -> !(effect instanceof MemoryEffect.Enqueue))
                .forEach(effect -> assertFalse(
                        containsAny(effect.toString(), erased), () -> "it asks or tells what is erased: " + effect));
        events = bank.events.size();
        effects = bank.effects.size();
        sourcesExist();
        budgetsHold(newEvents, newEffects);
        if (input instanceof MemoryInput.Tick) {
            aTickHandlesWhatIsDue();
        }
    }

    private void eventsContainNothingErased(MemoryEvent event) {
        switch (event) {
            case DocumentRetained retained -> {
                Set<String> documentWords = words(retained.document().toString());
                words.computeIfAbsent(retained.document().id(), _ -> new HashSet<>())
                        .addAll(documentWords);
                erased.removeAll(documentWords);
            }
            case Forgotten forgotten when forgotten.whole() -> words.values().forEach(erased::addAll);
            case Forgotten forgotten ->
                forgotten.documents().forEach(doc -> erased.addAll(words.getOrDefault(doc, Set.of())));
            default -> assertFalse(containsAny(event.toString(), erased), () -> "it says what is erased: " + event);
        }
    }

    private static Set<String> words(String text) {
        return WORD.matcher(text).results().map(found -> found.group()).collect(Collectors.toSet());
    }

    private static boolean containsAny(String text, Set<String> forbidden) {
        return text.contains("Zorbu") && words(text).stream().anyMatch(forbidden::contains);
    }

    private void stateContainsNothingErased() {
        bank.log().forEach(event -> assertFalse(containsAny(event.toString(), erased), () -> "it is left: " + event));
        assertFalse(containsAny(bank.state().toString(), erased), () -> "it is left in " + bank.state());
        var entities = bank.memory.entities().toString();
        assertFalse(containsAny(entities, erased), () -> "it is left: " + entities);
    }

    /**
     * Observations made by rules have two or more sources. All proofs are active facts of different documents, and no
     * source is erased.
     */
    private void sourcesExist() {
        for (UUID id : bank.memory.units()) {
            Unit unit = bank.memory.unit(id).orElseThrow().unit();
            List<UUID> sources = unit.sources();
            assertEquals(sources.size(), Set.copyOf(sources).size(), () -> "a proof counts twice: " + unit);
            assertTrue(sources.stream().allMatch(bank.memory::hasUnit), () -> "it rests on what is erased: " + unit);
            if (unit.type() == FactType.OBSERVATION && bank.memory.isActive(id)) {
                boolean byModel = bank.memory.unit(id).orElseThrow().maker().model() != null;
                List<UUID> proofs = Observations.proofs(unit);
                assertTrue(
                        byModel ? unit.proofCount() > 0 : sources.size() > 1 && unit.proofCount() <= sources.size(),
                        () -> "proofs of " + unit);
                assertTrue(
                        proofs.stream().allMatch(bank.memory::isActive),
                        () -> "it rests on what is taken back: " + unit);
                long documentCount = proofs.stream()
                        .map(source ->
                                bank.memory.unit(source).orElseThrow().unit().docId())
                        .distinct()
                        .count();
                assertEquals(proofs.size(), documentCount, () -> "a document proves it twice: " + unit);
            }
        }
        for (UUID id : bank.memory.reflections()) {
            bank.memory
                    .reflection(id)
                    .ifPresent(reflection -> reflection
                            .sources()
                            .forEach(source -> assertTrue(
                                    bank.memory.isActive(source)
                                            || bank.memory.document(source).isPresent(),
                                    () -> "an answer rests on what is gone: " + reflection)));
        }
    }

    private void budgetsHold(List<MemoryEvent> newEvents, List<MemoryEffect> newEffects) {
        BankState state = bank.state();
        BankQuota allowance = state.budget().allowance();
        boolean learned = newEvents.stream()
                .anyMatch(event -> event instanceof MemoryEvent.UnitLearned unit
                        && unit.unit().version() == 1);
        assertTrue(!learned || bank.memory.unitCount() <= allowance.units(), "too many units");
        boolean retained = newEvents.stream().anyMatch(DocumentRetained.class::isInstance);
        assertTrue(!retained || bank.memory.bytes() <= allowance.bytes(), "too many bytes");
        if (newEffects.stream().anyMatch(MemoryEffect.CallModel.class::isInstance)) {
            assertTrue(state.budget().calls() <= allowance.modelCalls(), "too many calls");
            long reserved = state.budget().reserved().stream()
                    .mapToLong(Budget.Reserved::tokens)
                    .sum();
            assertTrue(state.budget().tokens() + reserved <= allowance.modelTokens(), "too many tokens");
        }
        assertTrue(state.works().size() <= FactExtraction.AT_ONCE, "too much is read at once");
        long thoughts = state.thoughts().stream()
                .filter(thought -> thought.model() == null)
                .count();
        assertTrue(thoughts <= Reflection.AT_ONCE, "too much is thought at once");
    }

    private void aTickHandlesWhatIsDue() {
        for (int i = 0; i < 100; i++) {
            Optional<Instant> due = BankMachine.nextDue(bank.state());
            if (due.isEmpty() || due.get().isAfter(bank.now())) {
                return;
            }
            bank.decide(new MemoryInput.Tick());
            check(null);
        }
        throw new AssertionError("it never has enough of ticks: " + bank.state());
    }

    /** A bank that replays the remaining events has the same contents. */
    private void checkReplay() {
        Map<String, Object> expected = snapshot(bank.memory);
        Map<String, Object> replayed = snapshot(bank.replayed());
        assertEquals(expected.keySet(), replayed.keySet());
        expected.forEach((name, value) -> assertEquals(value, replayed.get(name), name));
        BankState folded = BankState.initial(BankFixture.ANN.key());
        for (MemoryEvent event : bank.events) {
            folded = BankMachine.evolve(folded, event);
        }
        assertEquals(replayable(folded), replayable(bank.state()), "what follows from events");
    }

    private static List<Object> replayable(BankState state) {
        var values = new ArrayList<Object>();
        values.add(state.lastSeq());
        values.add(Optional.ofNullable(state.bank()));
        values.add(Optional.ofNullable(state.profile()));
        values.add(state.directives());
        values.add(state.models().stream().map(BankState.Standing::model).collect(Collectors.toSet()));
        values.add(Optional.ofNullable(state.generations().current()));
        values.add(Optional.ofNullable(state.generations().other()));
        values.add(state.budget().allowance());
        return values;
    }

    private Map<String, Object> snapshot(BankMemory memory) {
        var values = new TreeMap<String, Object>();
        for (UUID unit : memory.units()) {
            values.put(
                    "unit " + unit,
                    List.of(
                            memory.isActive(unit),
                            memory.unit(unit),
                            memory.eventsOf(unit),
                            new TreeSet<>(memory.derivedFrom(unit))));
            memory.unit(unit)
                    .orElseThrow()
                    .mentions()
                    .forEach(mention -> values.put(
                            "entity " + mention.entity(), memory.entities().find(mention.entity())));
        }
        for (UUID doc : documents) {
            values.put(
                    "document " + doc,
                    List.of(
                            memory.document(doc),
                            memory.eventsOf(doc),
                            new TreeSet<>(memory.unitsOf(doc)),
                            new TreeSet<>(memory.derivedFrom(doc))));
        }
        for (UUID reflection : memory.reflections()) {
            values.put("reflection " + reflection, List.of(memory.reflection(reflection), memory.eventsOf(reflection)));
        }
        values.put("events", memory.allEvents());
        values.put(
                "counts",
                List.of(
                        memory.unitCount(),
                        memory.activeCount(),
                        memory.bytes(),
                        memory.entities().size()));
        values.put("generations", memory.generations());
        return values;
    }
}

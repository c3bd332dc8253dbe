package dev.parley.domain.memory.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.TimeZones;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.BankState.Waiting;
import dev.parley.domain.memory.BankView;
import dev.parley.domain.memory.BankView.Neighbour;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.EmbedRequest;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.Link;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.memory.Search;
import dev.parley.domain.memory.Search.Query;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.memory.index.BankMemory;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.Sighting;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Usage;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A bank and its embedding worker: a test is a conversation with them. Stores everything as the topology would. */
public final class BankFixture {
    static final UUID HOST = Ids.of("host", "default");
    public static final BankRef ANN = new BankRef(HOST, RecordKey.DEFAULT_PROJECT, null, "ann");
    static final RecordKey SESSION = RecordKey.of("test:ann");

    /** The default embedding model, and another one whose vectors have a different length. */
    static final String FIRST = "test";

    static final String OTHER = "other";

    final List<MemoryEvent> events = new ArrayList<>();
    final List<MemoryEffect> effects = new ArrayList<>();
    /** Requests of the bank that have no answer yet. */
    private final List<MemoryEffect> openRequests = new ArrayList<>();

    /** Commands of the bank to other banks. */
    final List<MemoryCommand> given = new ArrayList<>();

    private final Map<Long, MemoryEvent> kept = new TreeMap<>();
    private final Map<Long, Waiting> waiting = new TreeMap<>();
    private final Map<UUID, Outcome> outcomes = new HashMap<>();
    private final Map<UUID, Unit> units = new HashMap<>();
    public final BankMemory memory =
            new BankMemory(number -> Optional.ofNullable(kept.get(number)).orElseThrow());
    private final Function<String, Vector> meaning;
    private final BankRef bank;
    private BankState state;
    private Instant now = Instant.parse("2026-03-10T12:00:00Z");
    private TimeZones zones = TimeZones.UNKNOWN;
    private int commands;

    public BankFixture() {
        this(ANN, BankFixture::anyMeaning);
    }

    public BankFixture(BankRef bank, Function<String, Vector> meaning) {
        this.bank = bank;
        this.meaning = meaning;
        this.state = BankState.initial(bank.key());
    }

    /** Unrelated vectors for different texts, equal ones for equal texts. */
    static Vector anyMeaning(String text) {
        return anyMeaning(text, 16);
    }

    private static Vector anyMeaning(String text, int numbers) {
        var random = new Random(text.hashCode());
        var values = new float[numbers];
        double length = 0;
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
            length += values[i] * values[i];
        }
        for (int i = 0; i < values.length; i++) {
            values[i] /= (float) Math.sqrt(length);
        }
        return Vector.of(values);
    }

    /** The outcome of a command. */
    Optional<Outcome> outcome(UUID commandId) {
        return Optional.ofNullable(outcomes.get(commandId));
    }

    public BankState state() {
        return state;
    }

    public Instant now() {
        return now;
    }

    /** Everybody is in this zone from now on, and it is this time. */
    BankFixture in(ZoneId zone, Instant time) {
        zones = (_, _) -> zone;
        now = time;
        return this;
    }

    /** Advances the clock and sends a tick to the bank. */
    public BankFixture after(Duration time) {
        now = now.plus(time);
        decide(new MemoryInput.Tick());
        return this;
    }

    public CommandMeta meta() {
        return meta(Ids.of("command", commands++));
    }

    public CommandMeta meta(UUID id) {
        return new CommandMeta(id, HOST, now, "ann", 0, null);
    }

    // ---- inputs

    /** Retains a text and answers its embedding requests; returns the id of the document. */
    public UUID said(String text) {
        return said(text, now);
    }

    public UUID said(String text, Instant time) {
        UUID doc = Ids.of("doc", text, time);
        give(retain(doc, time, null, new Utterance(Role.USER, "Ann", text)));
        embedAll();
        return doc;
    }

    /** Retains a text with tags; returns the id of the document. */
    UUID tagged(String text, String... tags) {
        UUID doc = Ids.of("doc", text, now);
        var sayings = List.of(new Utterance(Role.USER, "Ann", text));
        give(new Retain(meta(), bank, doc, SESSION, null, 1L, sayings, null, List.of(tags), now, null));
        embedAll();
        return doc;
    }

    public Retain retain(UUID doc, Instant time, @Nullable Agent reader, Utterance... sayings) {
        return new Retain(meta(), bank, doc, SESSION, null, 1L, List.of(sayings), null, List.of(), time, reader);
    }

    public Outcome give(MemoryCommand command) {
        decide(command);
        return Optional.ofNullable(outcomes.get(command.meta().commandId())).orElseThrow();
    }

    /** Answers all embedding requests, and drops other requests. */
    public BankFixture embedAll() {
        while (!openRequests.isEmpty()) {
            if (openRequests.removeFirst() instanceof MemoryEffect.Embed embed) {
                answer(embedded(embed.request()));
            }
        }
        return this;
    }

    /** Answers search and embedding requests until only model calls remain. */
    BankFixture think() {
        while (!openRequests.isEmpty() && !(openRequests.getFirst() instanceof MemoryEffect.CallModel)) {
            switch (openRequests.removeFirst()) {
                case MemoryEffect.RunSearch find -> answer(found(find.search()));
                case MemoryEffect.Embed embed -> answer(embedded(embed.request()));
                default -> throw new AssertionError("nobody is asked anything else");
            }
        }
        return this;
    }

    /** Answers the last model call, then searches and embedding requests. */
    BankFixture says(String answer) {
        return says(List.of(Block.text(answer)));
    }

    BankFixture says(List<Block> blocks) {
        ModelRequest request = prompted();
        asks(MemoryEffect.CallModel.class);
        return answer(new CallResult.ModelAnswered(
                        request.callId(),
                        request.attempt(),
                        blocks,
                        FinishReason.STOP,
                        new Usage(10, 5, 0, 0, 0, 7L),
                        "test",
                        "thinker",
                        null))
                .think();
    }

    /** The last request to the model. */
    ModelRequest prompted() {
        return openRequests.stream()
                .filter(MemoryEffect.CallModel.class::isInstance)
                .map(effect -> ((MemoryEffect.CallModel) effect).request())
                .reduce((_, last) -> last)
                .orElseThrow(() -> new AssertionError("no model is asked: " + openRequests));
    }

    /** Finds units and passages by the words that they share with the query. */
    CallResult found(Search search) {
        var sightings = new LinkedHashMap<String, Sighting>();
        for (Query query : search.queries()) {
            texts(query).entrySet().stream()
                    .map(entry -> new Sighting(entry.getKey(), shared(query.text(), entry.getValue())))
                    .filter(sighting -> sighting.score() > 0)
                    .sorted(Comparator.comparingDouble(Sighting::score)
                            .reversed()
                            .thenComparing(Sighting::id))
                    .limit(query.limit())
                    .forEach(sighting -> sightings.putIfAbsent(sighting.id(), sighting));
        }
        return new CallResult.Found(search.callId(), search.attempt(), List.copyOf(sightings.values()));
    }

    private Map<String, String> texts(Query query) {
        var texts = new TreeMap<String, String>();
        memory.units().stream()
                .filter(memory::isActive)
                .map(id -> memory.unit(id).orElseThrow().unit())
                .filter(unit -> query.types().isEmpty() || query.types().contains(unit.type()))
                .filter(unit -> query.tags().isEmpty() || unit.tags().stream().anyMatch(query.tags()::contains))
                .forEach(unit -> texts.put(unit.id().toString(), unit.context() + " " + unit.text()));
        if (query.kinds().contains("turn")
                && query.types().isEmpty()
                && query.tags().isEmpty()) {
            for (UUID id : memory.documentsOf(SESSION)) {
                Document document = memory.document(id).orElseThrow();
                for (Document.Piece piece : document.chunks()) {
                    List<String> passages = Passages.of(document.text(piece));
                    for (int i = 0; i < passages.size(); i++) {
                        texts.put(Passages.id(id, piece.hash(), i), passages.get(i));
                    }
                }
            }
        }
        return texts;
    }

    private static double shared(String query, String text) {
        Set<String> words = words(query);
        return words(text).stream().filter(words::contains).count() / (double) words.size();
    }

    private static Set<String> words(String text) {
        return Arrays.stream(text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+"))
                .filter(word -> word.length() > 2)
                .collect(Collectors.toSet());
    }

    public CallResult embedded(EmbedRequest request) {
        String generation = request.generation() == null ? FIRST : request.generation();
        return new CallResult.Embedded(
                request.callId(),
                request.attempt(),
                generation,
                request.texts().stream()
                        .map(text -> generation.equals(FIRST) ? meaning.apply(text) : anyMeaning(text, 12))
                        .toList());
    }

    public BankFixture answer(CallResult result) {
        decide(new MemoryInput.Answered(result));
        return this;
    }

    /** Removes and returns the unanswered requests of this type. */
    public <E extends MemoryEffect> List<E> asks(Class<E> type) {
        List<E> found =
                openRequests.stream().filter(type::isInstance).map(type::cast).toList();
        openRequests.removeAll(found);
        return found;
    }

    void decide(MemoryInput input) {
        MemoryDecisions decisions = BankMachine.decide(state, input, view());
        for (MemoryEvent event : decisions.events()) {
            assertEquals(events.size() + 1, event.meta().seq(), "events are numbered one by one");
            events.add(event);
            kept.put(event.meta().seq(), event);
            if (event instanceof UnitLearned learned) {
                units.put(learned.unit().id(), learned.unit());
            }
            memory.apply(event);
        }
        decisions.effects().forEach(this::carryOut);
        state = decisions.state();
    }

    private void carryOut(MemoryEffect effect) {
        effects.add(effect);
        switch (effect) {
            case MemoryEffect.Enqueue wait -> waiting.put(wait.number(), wait.waiting());
            case MemoryEffect.Dequeue dequeue -> waiting.remove(dequeue.number());
            case MemoryEffect.StoreOutcome remember -> outcomes.put(remember.commandId(), remember.outcome());
            case MemoryEffect.Erase erase -> erase.events().forEach(kept::remove);
            case MemoryEffect.CallModel _, MemoryEffect.Embed _, MemoryEffect.RunSearch _ -> openRequests.add(effect);
            case MemoryEffect.SendCommand send -> given.add(send.command());
            case MemoryEffect.SendOutcome _ -> {} // it is among the effects
        }
    }

    BankView view() {
        return new BankView(
                now,
                memory,
                this::nearest,
                id -> Optional.ofNullable(outcomes.get(id)),
                number -> Optional.ofNullable(waiting.get(number)),
                this::log,
                Set.of(FIRST, OTHER),
                zones);
    }

    private List<MemoryEvent> log(long number, int limit) {
        return kept.values().stream()
                .filter(event -> event.meta().seq() >= number)
                .limit(limit)
                .toList();
    }

    private List<Neighbour> nearest(Vector vector, String generation, FactType type, double floor, int limit) {
        return units.values().stream()
                .filter(unit -> memory.isActive(unit.id()) && unit.type() == type)
                .map(unit -> generation.equals(unit.generation())
                        ? unit
                        : memory.unit(unit.id()).orElseThrow().unit())
                .filter(unit -> unit.vector() != null && generation.equals(unit.generation()))
                .map(unit -> new Neighbour(unit.id(), vector.cosine(unit.vector())))
                .filter(neighbour -> neighbour.cosine() >= floor)
                .sorted(Comparator.comparingDouble(Neighbour::cosine).reversed().thenComparing(Neighbour::unit))
                .limit(limit)
                .toList();
    }

    // ---- results

    public <E extends MemoryEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** The active observations. */
    List<Unit> observations() {
        return memory.units().stream()
                .filter(memory::isActive)
                .map(id -> memory.unit(id).orElseThrow().unit())
                .filter(unit -> unit.type() == FactType.OBSERVATION)
                .sorted(Comparator.comparing(Unit::id))
                .toList();
    }

    /** The active facts. */
    List<Unit> facts() {
        return memory.units().stream()
                .filter(memory::isActive)
                .map(id -> memory.unit(id).orElseThrow().unit())
                .filter(unit -> unit.type() != FactType.OBSERVATION)
                .sorted(Comparator.comparing(Unit::mentionedAt).thenComparing(Unit::id))
                .toList();
    }

    /** The memory of a bank that replays the events that are not erased. */
    public BankMemory replayed() {
        var replayed =
                new BankMemory(number -> Optional.ofNullable(kept.get(number)).orElseThrow());
        kept.values().forEach(replayed::apply);
        return replayed;
    }

    /** The numbers of the events that are not erased. */
    List<Long> standing() {
        return List.copyOf(kept.keySet());
    }

    List<MemoryEvent> log() {
        return List.copyOf(kept.values());
    }

    /** The only unit whose text contains these words. */
    public UnitLearned unit(String words) {
        List<UnitLearned> found = events(UnitLearned.class).stream()
                .filter(event -> event.unit().text().contains(words))
                .toList();
        assertEquals(1, found.size(), () -> "units with '" + words + "': " + events(UnitLearned.class));
        return found.getFirst();
    }

    /** The links from the one unit to the other. */
    List<Link> links(String from, String to) {
        UUID fromId = unit(from).unit().id();
        UUID toId = unit(to).unit().id();
        return events(UnitLearned.class).stream()
                .flatMap(event -> event.links().stream())
                .filter(link -> link.from().equals(fromId) && link.to().equals(toId))
                .toList();
    }
}

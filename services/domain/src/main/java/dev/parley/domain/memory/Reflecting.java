package dev.parley.domain.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.memory.BankState.Standing;
import dev.parley.domain.memory.MemoryCommand.Reflect;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.Search.Look;
import dev.parley.domain.memory.Thought.Ask;
import dev.parley.domain.memory.Thought.Step;
import dev.parley.domain.memory.prompt.Answer;
import dev.parley.domain.memory.prompt.Prompt;
import dev.parley.domain.memory.reflect.Conclusion;
import dev.parley.domain.memory.reflect.DirectiveCheck;
import dev.parley.domain.memory.reflect.DirectiveCheck.Verdict;
import dev.parley.domain.memory.reflect.Disposition;
import dev.parley.domain.memory.reflect.Evidence;
import dev.parley.domain.memory.reflect.Extract;
import dev.parley.domain.memory.reflect.ReflectPrompt;
import dev.parley.domain.memory.reflect.ReflectPrompt.Asked;
import dev.parley.domain.memory.reflect.ReflectPrompt.Identity;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.CallResult.Embedded;
import dev.parley.domain.protocol.CallResult.Found;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CallResult.Sighting;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a bank thinks about a question. It searches first: mental models, observations, then all that it has. A model that is shown
 * what was found answers, or searches further; where there is none, or none that answers, rules do, word for word. What it answers
 * is checked against the bank's directives, its meaning is asked, and it is kept and told in one decision.
 *
 * <p>Of what was found the state keeps ids alone: the texts are looked up when a model is asked, so that what is erased meanwhile is
 * not shown. A thought that is under way when something is erased begins anew. Reflections are not searched, so that none rests on
 * another one; and what a mental model rests on is facts and observations alone.
 */
final class Reflecting {
    /** Thoughts of a bank that somebody waits for. */
    static final int AT_ONCE = 4;

    /** Calls of a model for one question. */
    static final int MODEL_CALLS = 6;

    /** How often a model may fail to answer one call. */
    static final int MODEL_ATTEMPTS = 3;

    /** How often a model may search. */
    static final int SEARCHES = 3;

    /** When rules answer with what was found until then. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    /** How long what an answer means is waited for; after that it is found by its words alone. */
    static final Duration MEANING_PATIENCE = Duration.ofSeconds(5);

    private static final Duration SEARCH_LEASE = Duration.ofSeconds(5);
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);

    private static final int LONGEST_QUESTION = 4_000;
    private static final int LONGEST_ASKER = 2_000;
    private static final int LONGEST_QUERY = 500;
    private static final int FEWEST_TOKENS = 50;
    private static final int MOST_TOKENS = 4_000;
    private static final int MOST_TAGS = 50;

    private static final int MOST_MODELS = 5;
    private static final int MOST_OBSERVATIONS = 15;
    private static final int MOST_OF_ALL = 30;
    private static final int MOST_FURTHER = 15;
    private static final int MOST_FOUND = 100;

    /** Characters of what a model is shown. */
    private static final int MOST_SHOWN = 24_000;

    /** Characters of what a further search may put in the place of what was shown before. */
    private static final int MOST_NEW = MOST_SHOWN / 2;

    private static final int CHARACTERS_A_TOKEN = 4;

    /** By which a model searches. */
    static final String SEARCH = "search";

    private static final ToolSpec SEARCH_TOOL = new ToolSpec(
                    SEARCH,
                    "Searches your memory for something else, in a few words. You are asked again with what it finds.",
                    """
                    {"type":"object","properties":{"query":{"type":"string","minLength":1,"maxLength":500}},\
                    "required":["query"],"additionalProperties":false}""",
                    ToolEffect.IDEMPOTENT,
                    SEARCH_LEASE)
            .with(ToolAccess.READ);

    private Reflecting() {}

    // ---- what is asked

    static void reflect(MemoryDraft draft, Reflect reflect) {
        UUID id = reflect.meta().commandId();
        Optional<Thought> there = draft.state().thoughts().stream()
                .filter(thought -> thought.id().equals(id))
                .findFirst();
        if (there.isPresent()) { // it is told to whoever asked last
            draft.change(state -> state.with(there.get().waited(reflect.meta().outcomePartition())));
            return;
        }
        Optional<String> wrong = wrong(reflect);
        if (wrong.isPresent()) {
            draft.refuse("invalid_question", wrong.get());
        } else if (draft.state().isErased(reflect.session(), reflect.meta().at())) {
            draft.refuse("erased", "the session in which it is asked is erased");
        } else if (draft.state().bank() == null) {
            draft.refuse("unknown_bank", "there is no such bank: nothing was ever remembered in it");
        } else if (draft.state().thoughts().stream()
                        .filter(one -> one.model() == null)
                        .count()
                >= AT_ONCE) {
            draft.refuse("bank_busy", "the bank thinks about " + AT_ONCE + " questions already: ask again later");
        } else {
            var ask = new Ask(
                    reflect.question(),
                    reflect.asker(),
                    reflect.session(),
                    reflect.tags(),
                    reflect.types(),
                    reflect.maxTokens(),
                    draft.reader(reflect.reader()));
            begin(
                    draft,
                    id,
                    null,
                    ask,
                    reflect.meta().outcomePartition(),
                    reflect.meta().user());
        }
    }

    private static Optional<String> wrong(Reflect reflect) {
        String asker = reflect.asker();
        if (reflect.question().isBlank() || reflect.question().length() > LONGEST_QUESTION) {
            return Optional.of("a question has 1 to %,d characters".formatted(LONGEST_QUESTION));
        }
        if (asker != null && asker.length() > LONGEST_ASKER) {
            return Optional.of("who asks is said in at most %,d characters".formatted(LONGEST_ASKER));
        }
        if (reflect.tags().size() > MOST_TAGS) {
            return Optional.of("a question has at most " + MOST_TAGS + " tags");
        }
        if (reflect.maxTokens() < FEWEST_TOKENS || reflect.maxTokens() > MOST_TOKENS) {
            return Optional.of("an answer has %d to %,d tokens".formatted(FEWEST_TOKENS, MOST_TOKENS));
        }
        return Optional.empty();
    }

    /** Makes a mental model anew. */
    static void refresh(MemoryDraft draft, Standing standing) {
        MentalModel model = standing.model();
        List<FactType> facts = List.of(FactType.WORLD, FactType.EXPERIENCE, FactType.OBSERVATION);
        var ask = new Ask(model.question(), null, null, model.tags(), facts, Reflect.USUAL_TOKENS, draft.reader(null));
        UUID id = Ids.of("refresh", model.id(), draft.state().lastSeq(), draft.now());
        begin(draft, id, model.id(), ask, null, null);
    }

    private static void begin(
            MemoryDraft draft,
            UUID id,
            @Nullable UUID model,
            Ask ask,
            @Nullable Integer partition,
            @Nullable String by) {
        find(
                draft,
                Thought.of(draft.state().key(), id, model, ask, partition, by, draft.now(), PATIENCE, SEARCH_LEASE));
    }

    // ---- searching

    /** Carries its search out, the first one or what a model wants to know besides. */
    private static void find(MemoryDraft draft, Thought thought) {
        Ask ask = thought.ask();
        List<Look> looks = thought.searches().isEmpty()
                ? first(thought)
                : List.of(look(ask, thought.searches().getLast(), kinds(thought), ask.types(), MOST_FURTHER));
        draft.effect(new MemoryEffect.Find(
                new Search(thought.callId(), thought.attempt(), draft.state().open(), looks, thought.leaseUntil())));
        draft.change(state -> state.with(thought));
    }

    private static List<Look> first(Thought thought) {
        Ask ask = thought.ask();
        var looks = new ArrayList<Look>();
        for (FactType type : List.of(FactType.MENTAL_MODEL, FactType.OBSERVATION)) {
            if (ask.types().isEmpty() || ask.types().contains(type)) {
                int most = type == FactType.MENTAL_MODEL ? MOST_MODELS : MOST_OBSERVATIONS;
                looks.add(look(ask, ask.question(), List.of("unit"), List.of(type), most));
            }
        }
        looks.add(look(ask, ask.question(), kinds(thought), ask.types(), MOST_OF_ALL));
        return looks;
    }

    private static List<String> kinds(Thought thought) {
        return thought.model() == null ? List.of("turn", "unit") : List.of("unit");
    }

    private static Look look(Ask ask, String query, List<String> kinds, List<FactType> types, int most) {
        return new Look(query, kinds, types, ask.tags(), most);
    }

    // ---- answers

    static void answered(MemoryDraft draft, CallResult result) {
        draft.state().thoughts().stream()
                .filter(thought -> thought.callId().equals(result.callId()))
                .findFirst()
                .filter(thought -> result.attempt() == thought.attempt() && thought.retryAt() == null)
                .ifPresent(thought -> answered(draft, thought, result));
    }

    private static void answered(MemoryDraft draft, Thought thought, CallResult result) {
        switch (result) {
            case Found found when thought.step() == Step.SEARCH -> found(draft, thought, found);
            case ModelAnswered answer
            when thought.step() == Step.ANSWER -> {
                Reading.used(draft, answer.callId(), answer.usage().tokens());
                said(draft, thought, answer);
            }
            case Embedded vectors when thought.step() == Step.MEANING -> embedded(draft, thought, vectors);
            case ModelFailed _ -> {
                Reading.used(draft, result.callId(), 0);
                failed(draft, thought);
            }
            case RetryAfter later -> {
                Reading.used(draft, result.callId(), 0);
                draft.change(state -> state.with(thought.later(draft.now().plus(later.delay()))));
            }
            case CallProgress _ ->
                draft.change(state -> state.with(thought.renewed(draft.now().plus(Reading.LEASE))));
            case Found _, ModelAnswered _, Embedded _ -> {} // no answer to this call
            case CallResult.ToolAnswered _, CallResult.ChildFinished _ -> {} // nor this
        }
    }

    private static void found(MemoryDraft draft, Thought thought, Found found) {
        List<Sighting> there = found.sightings().stream()
                .filter(one -> evidence(draft, one.id()).isPresent())
                .toList();
        answer(
                draft,
                thought.finding(there, MOST_FOUND),
                there.stream().map(Sighting::id).distinct().toList());
    }

    /** A model is asked, or rules where there is none, or nothing was found that it could say anything about. */
    private static void answer(MemoryDraft draft, Thought thought, List<String> news) {
        if (thought.ask().reader() == null
                || thought.found().isEmpty()
                || thought.modelCalls() >= MODEL_CALLS
                || !draft.now().isBefore(thought.deadline())) {
            byRules(draft, thought);
        } else {
            askModel(
                    draft,
                    thought.showing(shown(draft, thought.shown(), news))
                            .asking(
                                    draft.state().key(),
                                    Step.ANSWER,
                                    draft.now().plus(Reading.LEASE)));
        }
    }

    /** What was just found comes in for the last of what was shown before, where there is no room for both. */
    private static List<String> shown(MemoryDraft draft, List<String> before, List<String> found) {
        List<String> news = found.stream().filter(id -> !before.contains(id)).toList();
        List<String> more = fitting(draft, news, before.isEmpty() ? MOST_SHOWN : MOST_NEW);
        int room = MOST_SHOWN - more.stream().mapToInt(id -> length(draft, id)).sum();
        return Stream.concat(fitting(draft, before, room).stream(), more.stream())
                .toList();
    }

    /** Those that have room, the first ones first. */
    private static List<String> fitting(MemoryDraft draft, List<String> ids, int most) {
        var fitting = new ArrayList<String>();
        int characters = 0;
        for (String id : ids) {
            int length = length(draft, id);
            if (characters + length <= most) {
                fitting.add(id);
                characters += length;
            }
        }
        return fitting;
    }

    /** Characters of a piece; of one that is not there any more, more than are shown. */
    private static int length(MemoryDraft draft, String id) {
        return evidence(draft, id).map(piece -> piece.text().length()).orElse(MOST_SHOWN + 1);
    }

    private static void askModel(MemoryDraft draft, Thought thought) {
        BankRef bank = draft.state().open();
        Prompt prompt = prompt(draft, thought);
        Agent reader = Objects.requireNonNull(thought.ask().reader(), "only a model is asked");
        var request = new ModelRequest(
                thought.callId(),
                bank.host(),
                bank.id(),
                null,
                thought.call(),
                thought.attempt(),
                ModelRequest.Purpose.MEMORY,
                reader.forMemory(prompt.system()),
                null,
                List.of(Message.text(Role.USER, prompt.user())),
                List.of(SEARCH_TOOL),
                maySearch(thought),
                thought.by() == null ? bank.user() : thought.by(),
                thought.leaseUntil(),
                thought.deadline());
        if (Reading.spends(draft, request)) {
            draft.effect(new MemoryEffect.AskModel(request));
            draft.change(state -> state.with(thought.counted(thought.modelCalls() + 1, Usage.NONE)));
        } else {
            byRules(draft, thought);
        }
    }

    /** The last call has to be an answer. */
    private static boolean maySearch(Thought thought) {
        return thought.searches().size() < SEARCHES && thought.modelCalls() < MODEL_CALLS - 1;
    }

    private static Prompt prompt(MemoryDraft draft, Thought thought) {
        BankState state = draft.state();
        BankProfile profile = Objects.requireNonNull(state.profile(), "a bank that is open has a profile");
        Ask ask = thought.ask();
        String agent = state.open().agent();
        String background = profile.background();
        return ReflectPrompt.of(
                new Identity(agent == null ? profile.name() : agent, background == null ? "" : background),
                state.directives(),
                new Disposition(profile.skepticism(), profile.literalism(), profile.empathy()),
                new Asked(
                        ask.question(),
                        ask.asker() == null ? "" : Objects.requireNonNull(ask.asker()),
                        ask.maxTokens(),
                        state.pending(),
                        thought.searches(),
                        thought.model() == null,
                        thought.objection() == null ? "" : Objects.requireNonNull(thought.objection())),
                thought.shown().stream()
                        .map(id -> evidence(draft, id).orElseGet(() -> gone(draft, id)))
                        .toList(),
                draft.now());
    }

    /** What stands in the place of something that is not held to be true any more: the others keep their numbers. */
    private static Evidence gone(MemoryDraft draft, String id) {
        return new Evidence(id, FactType.WORLD, "(taken back)", null, null, draft.now());
    }

    private static boolean isAllThere(MemoryDraft draft, List<String> ids) {
        return ids.stream().allMatch(id -> evidence(draft, id).isPresent());
    }

    private static void said(MemoryDraft draft, Thought before, ModelAnswered answer) {
        Thought thought = before.counted(before.modelCalls(), answer.usage());
        Optional<String> query = query(thought, answer.blocks());
        if (query.isPresent()) {
            find(
                    draft,
                    thought.searching(query.get())
                            .asking(
                                    draft.state().key(),
                                    Step.SEARCH,
                                    draft.now().plus(SEARCH_LEASE)));
            return;
        }
        Prompt prompt = prompt(draft, thought);
        Conclusion conclusion = Conclusion.read(
                Message.text(answer.blocks()),
                thought.shown(),
                mostCharacters(thought),
                prompt.digest(),
                answer.provider() + "/" + answer.model());
        if (conclusion.answer().isBlank()) {
            failed(draft, thought);
        } else if (isAllThere(draft, thought.shown())) {
            checked(draft, thought, conclusion);
        } else {
            anew(draft, thought);
        }
    }

    /** What a model wants to know besides, where it may. */
    private static Optional<String> query(Thought thought, List<Block> blocks) {
        return Message.toolCalls(blocks).stream()
                .filter(call -> call.name().equals(SEARCH) && thought.searches().size() < SEARCHES)
                .flatMap(call -> query(call.arguments()).stream())
                .filter(query -> !thought.searches().contains(query))
                .findFirst();
    }

    private static Optional<String> query(String arguments) {
        try {
            return Answer.read(arguments).text("query").filter(query -> query.length() <= LONGEST_QUERY);
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // it is no search, so there is none
        }
    }

    private static int mostCharacters(Thought thought) {
        int most = CHARACTERS_A_TOKEN * thought.ask().maxTokens();
        return thought.model() == null ? most : Math.min(most, Unit.LONGEST);
    }

    /** An answer that breaks a directive is not given; the model has one more chance. */
    private static void checked(MemoryDraft draft, Thought thought, Conclusion conclusion) {
        List<Verdict> verdicts =
                DirectiveCheck.of(conclusion.said(), draft.state().directives());
        if (DirectiveCheck.passes(verdicts)) {
            conclude(draft, thought, conclusion);
        } else if (thought.objection() == null && thought.modelCalls() < MODEL_CALLS) {
            askModel(
                    draft,
                    thought.objected(what(verdicts))
                            .asking(
                                    draft.state().key(),
                                    Step.ANSWER,
                                    draft.now().plus(Reading.LEASE)));
        } else {
            finish(draft, thought.concluding(conclusion.withheld()), broken(verdicts), null, List.of());
        }
    }

    private static String what(List<Verdict> verdicts) {
        return verdicts.stream()
                .filter(Verdict.Broken.class::isInstance)
                .map(verdict -> ((Verdict.Broken) verdict).what())
                .findFirst()
                .orElseThrow();
    }

    private static String broken(List<Verdict> verdicts) {
        return verdicts.stream()
                .filter(Verdict.Broken.class::isInstance)
                .map(verdict -> verdict.directive().name())
                .findFirst()
                .orElseThrow();
    }

    // ---- without a model

    private static void byRules(MemoryDraft draft, Thought thought) {
        Reading.lost(draft, thought.callId());
        var pieces = new ArrayList<Extract.Piece>();
        for (Sighting one : thought.found()) {
            evidence(draft, one.id())
                    .ifPresent(piece -> pieces.add(new Extract.Piece(
                            piece, one.score(), unit(draft, one.id()).isPresent())));
        }
        Extract extract = Extract.of(pieces, draft.state().directives(), mostCharacters(thought));
        Thought next = thought.taking(extract.conclusion().basedOn());
        if (extract.withheld() == null) {
            conclude(draft, next, extract.conclusion());
        } else {
            finish(draft, next.concluding(extract.conclusion()), extract.withheld(), null, List.of());
        }
    }

    // ---- what it means

    private static void conclude(MemoryDraft draft, Thought thought, Conclusion conclusion) {
        if (conclusion.basedOn().isEmpty()) { // nothing holds it up: it is told, and not found again
            finish(draft, thought.concluding(conclusion.withoutOpinion()), null, null, List.of());
            return;
        }
        embed(
                draft,
                thought.concluding(thought.model() == null ? conclusion : conclusion.withoutOpinion())
                        .asking(draft.state().key(), Step.MEANING, draft.now().plus(MEANING_PATIENCE)));
    }

    private static void embed(MemoryDraft draft, Thought thought) {
        Conclusion conclusion = concluded(thought);
        var texts = new ArrayList<String>();
        texts.add(Reflected.meaning(thought.ask().question(), conclusion.answer()));
        Optional.ofNullable(conclusion.opinion()).ifPresent(texts::add);
        draft.effect(new MemoryEffect.Embed(new EmbedRequest(
                thought.callId(),
                thought.attempt(),
                draft.state().generations().current(),
                texts,
                thought.leaseUntil(),
                thought.leaseUntil())));
        draft.change(state -> state.with(thought));
    }

    private static Conclusion concluded(Thought thought) {
        return Objects.requireNonNull(thought.conclusion(), "it has not been answered");
    }

    private static void embedded(MemoryDraft draft, Thought thought, Embedded answer) {
        int texts = concluded(thought).opinion() == null ? 1 : 2;
        String current = draft.state().generations().current();
        boolean fits =
                Reading.isUsable(answer.vectors(), texts) && (current == null || current.equals(answer.generation()));
        if (fits && current == null) {
            draft.emit(meta -> new GenerationChanged(meta, answer.generation(), null, false));
        }
        meant(draft, thought, fits ? answer.generation() : null, fits ? answer.vectors() : List.of());
    }

    /** What it means is known, or will not be; unless something that it cites was taken back meanwhile, it is done. */
    private static void meant(MemoryDraft draft, Thought thought, @Nullable String generation, List<Vector> vectors) {
        Conclusion conclusion = concluded(thought);
        List<Verdict> verdicts =
                DirectiveCheck.of(conclusion.said(), draft.state().directives());
        if (!isAllThere(draft, conclusion.basedOn())) {
            anew(draft, thought);
        } else if (DirectiveCheck.passes(verdicts)) {
            finish(draft, thought, null, generation, vectors);
        } else { // there is a new one since
            finish(draft, thought.concluding(conclusion.withheld()), broken(verdicts), null, List.of());
        }
    }

    // ---- the end of it

    /** Keeps it, and tells it. */
    private static void finish(
            MemoryDraft draft,
            Thought thought,
            @Nullable String withheld,
            @Nullable String generation,
            List<Vector> vectors) {
        draft.change(state -> state.without(thought));
        if (thought.model() != null) {
            Standings.answered(draft, thought, concluded(thought), withheld, generation, vectors);
            return;
        }
        Reflected event = reflected(draft, thought, withheld, generation, vectors);
        draft.emit(_ -> event);
        Conclusion conclusion = concluded(thought);
        if (withheld == null && conclusion.opinion() != null && conclusion.confidence() != null) {
            Opining.opine(draft, thought, event.id(), conclusion, generation, vectors);
        }
        Outcome.Concluded outcome = outcome(draft, thought, event, withheld);
        draft.effect(new MemoryEffect.Remember(
                thought.id(), outcome.saying(""))); // what may be erased stands in the event alone
        tell(draft, thought, outcome);
    }

    private static Reflected reflected(
            MemoryDraft draft,
            Thought thought,
            @Nullable String withheld,
            @Nullable String generation,
            List<Vector> vectors) {
        Conclusion conclusion = concluded(thought);
        boolean found = withheld == null && !conclusion.basedOn().isEmpty();
        UUID bank = draft.state().open().id();
        UUID id = found
                ? Ids.of(
                        "reflection",
                        bank,
                        normal(thought.ask().question()),
                        thought.ask().tags())
                : Ids.of("reflection", bank, thought.id());
        return reflected(draft, thought, id, null, conclusion.answer(), withheld, generation, vectors);
    }

    static Reflected reflected(
            MemoryDraft draft,
            Thought thought,
            UUID id,
            @Nullable UUID made,
            String answer,
            @Nullable String withheld,
            @Nullable String generation,
            List<Vector> vectors) {
        Conclusion conclusion = concluded(thought);
        var meta = new MemoryMeta(
                draft.state().open(),
                draft.state().lastSeq() + 1,
                draft.now(),
                made == null ? thought.id() : null,
                thought.by());
        return new Reflected(
                meta,
                id,
                made,
                thought.ask().session(),
                thought.ask().question(),
                thought.ask().tags(),
                answer,
                conclusion.basedOn(),
                thought.seen(),
                conclusion.how(),
                conclusion.prompt(),
                conclusion.model(),
                thought.modelCalls(),
                thought.usage(),
                withheld,
                generation,
                vectors.isEmpty() ? null : vectors.getFirst());
    }

    static String normal(String question) {
        return question.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
    }

    private static Outcome.Concluded outcome(
            MemoryDraft draft, Thought thought, Reflected event, @Nullable String withheld) {
        Conclusion conclusion = concluded(thought);
        List<Verdict> verdicts = withheld == null
                ? DirectiveCheck.of(conclusion.said(), draft.state().directives())
                : List.of();
        return new Outcome.Concluded(
                draft.state().key(),
                thought.id(),
                event.id(),
                text(conclusion.answer(), withheld),
                event.basedOn(),
                names(verdicts, Verdict.Kept.class),
                names(verdicts, Verdict.Unknown.class),
                withheld,
                conclusion.unknown(),
                conclusion.how(),
                conclusion.model(),
                1 + thought.searches().size() + thought.modelCalls(),
                thought.usage());
    }

    private static String text(String answer, @Nullable String withheld) {
        return withheld == null ? answer : Directive.withheld(withheld);
    }

    private static List<String> names(List<Verdict> verdicts, Class<? extends Verdict> kind) {
        return verdicts.stream()
                .filter(kind::isInstance)
                .map(verdict -> verdict.directive().name())
                .toList();
    }

    /** What a duplicate of the question is told: the same, unless it was erased since. */
    static Outcome again(MemoryDraft draft, Outcome.Concluded told) {
        return draft.memory()
                .reflection(told.reflection(), told.commandId())
                .<Outcome>map(event -> told.saying(text(event.answer(), event.withheld())))
                .orElseGet(() -> Outcome.erased(told.key(), told.commandId()));
    }

    private static void tell(MemoryDraft draft, Thought thought, Outcome outcome) {
        if (thought.outcomePartition() != null) {
            draft.effect(new MemoryEffect.Tell(thought.outcomePartition(), outcome));
        }
    }

    private static void refuse(MemoryDraft draft, Thought thought, String code, String message) {
        Reading.lost(draft, thought.callId());
        draft.change(state -> state.without(thought));
        UUID model = thought.model();
        if (model != null) { // it is tried again when it may be
            draft.change(state -> state.standing(model)
                    .map(one -> state.with(new BankState.Standing(one.model(), one.begun(), true, one.version())))
                    .orElse(state));
        } else {
            var refused = new Outcome.Refused(draft.state().key(), thought.id(), code, message);
            draft.effect(new MemoryEffect.Remember(thought.id(), refused));
            tell(draft, thought, refused);
        }
    }

    // ---- what goes wrong

    private static void failed(MemoryDraft draft, Thought thought) {
        if (thought.failures() + 1 < MODEL_ATTEMPTS) {
            long millis = FIRST_BACKOFF.toMillis() << thought.failures();
            draft.change(state -> state.with(thought.failed(draft.now().plusMillis(millis))));
            return;
        }
        switch (thought.step()) {
            case SEARCH -> unsearched(draft, thought);
            case ANSWER -> byRules(draft, thought);
            case MEANING -> meant(draft, thought, null, List.of());
        }
    }

    /** What a model wanted to know besides it has to do without. */
    private static void unsearched(MemoryDraft draft, Thought thought) {
        if (thought.searches().isEmpty()) {
            refuse(draft, thought, "no_answer", "the bank could not be searched: ask again later");
        } else {
            answer(draft, thought, List.of());
        }
    }

    /** An answer of a model that cannot be used counts as none; of others nothing better comes. */
    static void giveUp(MemoryDraft draft, UUID callId) {
        draft.state().thoughts().stream()
                .filter(thought -> thought.callId().equals(callId) && thought.retryAt() == null)
                .findFirst()
                .ifPresent(thought -> failed(draft, thought));
    }

    static void tick(MemoryDraft draft) {
        for (Thought thought : draft.state().thoughts()) {
            if (!thought.due().isAfter(draft.now())) {
                due(draft, thought);
            }
        }
    }

    private static void due(MemoryDraft draft, Thought thought) {
        boolean late = !draft.now().isBefore(thought.deadline());
        Thought again = thought.again(draft.now().plus(thought.step() == Step.ANSWER ? Reading.LEASE : SEARCH_LEASE));
        switch (thought.step()) {
            case SEARCH -> {
                if (late) {
                    unsearched(draft, thought);
                } else {
                    find(draft, again);
                }
            }
            case ANSWER -> {
                if (late || thought.modelCalls() >= MODEL_CALLS) {
                    byRules(draft, thought);
                } else {
                    askModel(draft, again);
                }
            }
            case MEANING -> meant(draft, thought, null, List.of());
        }
    }

    /** It begins once more: what it was made of is not what it was. */
    private static void anew(MemoryDraft draft, Thought thought) {
        Reading.lost(draft, thought.callId());
        find(
                draft,
                thought.forgetful()
                        .asking(draft.state().key(), Step.SEARCH, draft.now().plus(SEARCH_LEASE)));
    }

    /** What was thought of what is forgotten is not: each thought begins anew, or ends with its bank. */
    static void forget(MemoryDraft draft, boolean whole) {
        for (Thought thought : draft.state().thoughts()) {
            if (whole) {
                refuse(draft, thought, "erased", "the bank was erased");
            } else {
                anew(draft, thought);
            }
        }
    }

    /** What was asked in a session that is erased is thought about no more. @return whether there was anything */
    static boolean erased(MemoryDraft draft, RecordKey session) {
        List<Thought> asked = draft.state().thoughts().stream()
                .filter(thought -> session.equals(thought.ask().session()))
                .toList();
        asked.forEach(thought -> refuse(draft, thought, "erased", "the session in which it was asked is erased"));
        return !asked.isEmpty();
    }

    /** A mental model is not thought about any more. */
    static void drop(MemoryDraft draft, UUID model) {
        for (Thought thought : draft.state().thoughts()) {
            if (model.equals(thought.model())) {
                Reading.lost(draft, thought.callId());
                draft.change(state -> state.without(thought));
            }
        }
    }

    // ---- what an answer may rest on

    /** A unit or passage as it is now; empty for what is not there any more, or held to be true no more. */
    static Optional<Evidence> evidence(MemoryDraft draft, String id) {
        return unit(draft, id)
                .map(unit -> new Evidence(
                        id, unit.type(), unit.text(), unit.confidence(), unit.occurred(), unit.mentionedAt()))
                .or(() -> passage(draft, id));
    }

    private static Optional<Unit> unit(MemoryDraft draft, String id) {
        return Passages.isId(id) ? Optional.empty() : unit(draft, UUID.fromString(id));
    }

    private static Optional<Unit> unit(MemoryDraft draft, UUID id) {
        return draft.memory().holds(id) ? draft.memory().unit(id).map(MemoryEvent.UnitLearned::unit) : Optional.empty();
    }

    private static Optional<Evidence> passage(MemoryDraft draft, String id) {
        return Passages.isId(id)
                ? draft.memory()
                        .document(Passages.document(id))
                        .flatMap(document -> Passages.find(document, id)
                                .map(found -> new Evidence(
                                        id, found.type(), found.text(), null, null, document.mentionedAt())))
                : Optional.empty();
    }
}

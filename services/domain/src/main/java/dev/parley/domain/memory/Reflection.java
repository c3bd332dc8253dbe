package dev.parley.domain.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.BankState.Standing;
import dev.parley.domain.memory.MemoryCommand.Reflect;
import dev.parley.domain.memory.Search.Look;
import dev.parley.domain.memory.Thought.Ask;
import dev.parley.domain.memory.Thought.Step;
import dev.parley.domain.memory.reflect.Extract;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.CallResult.Embedded;
import dev.parley.domain.protocol.CallResult.Found;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CallResult.Sighting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reflection: how a bank answers a question. It searches mental models, observations, and then all memories. A model is
 * shown the results and answers or searches again; without a model, or if none answers, rules quote the results. The
 * answer is checked against the bank's directives, embedded, stored and returned.
 *
 * <p>The state contains only ids of results: their texts are read when a model is called, so erased ones are not shown.
 * A reflection in progress during an erasure restarts. Reflections are not used as evidence for others; mental models
 * rest on facts and observations only.
 */
final class Reflecting {
    /** Maximum concurrent reflections of a bank that somebody waits for. */
    static final int AT_ONCE = 4;

    /** Maximum model calls per question. */
    static final int MODEL_CALLS = 6;

    /** Maximum failures per model call. */
    static final int MODEL_ATTEMPTS = 3;

    /** Maximum searches by a model. */
    static final int SEARCHES = 3;

    /** Timeout, after which rules answer with the results so far. */
    static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Timeout of embedding the answer; without a vector it is found by keywords only. */
    static final Duration EMBEDDING_TIMEOUT = Duration.ofSeconds(5);

    static final Duration SEARCH_LEASE = Duration.ofSeconds(5);
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);

    private static final int MAX_QUESTION_LENGTH = 4_000;
    private static final int MAX_ASKER_LENGTH = 2_000;
    private static final int FEWEST_TOKENS = 50;
    private static final int MAX_TOKENS = 4_000;
    private static final int MAX_TAGS = 50;

    private static final int MAX_MODELS = 5;
    private static final int MAX_OBSERVATIONS = 15;
    private static final int MAX_OF_ALL = 30;
    private static final int MAX_FURTHER = 15;
    private static final int MAX_FOUND = 100;

    /** Maximum characters of evidence shown to a model. */
    static final int MAX_SHOWN = 24_000;

    /** Name of the search tool. */
    static final String SEARCH = "search";

    private Reflecting() {}

    // ---- request

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
        if (reflect.question().isBlank() || reflect.question().length() > MAX_QUESTION_LENGTH) {
            return Optional.of("a question has 1 to %,d characters".formatted(MAX_QUESTION_LENGTH));
        }
        if (asker != null && asker.length() > MAX_ASKER_LENGTH) {
            return Optional.of("who asks is said in at most %,d characters".formatted(MAX_ASKER_LENGTH));
        }
        if (reflect.tags().size() > MAX_TAGS) {
            return Optional.of("a question has at most " + MAX_TAGS + " tags");
        }
        if (reflect.maxTokens() < FEWEST_TOKENS || reflect.maxTokens() > MAX_TOKENS) {
            return Optional.of("an answer has %d to %,d tokens".formatted(FEWEST_TOKENS, MAX_TOKENS));
        }
        return Optional.empty();
    }

    /** Refreshes a mental model. */
    static void refresh(MemoryDraft draft, Standing standing) {
        MentalModel model = standing.model();
        List<FactType> facts = List.of(FactType.WORLD, FactType.EXPERIENCE, FactType.OBSERVATION);
        var ask =
                new Ask(model.question(), null, null, model.tags(), facts, Reflect.DEFAULT_TOKENS, draft.reader(null));
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
        find(draft, Thought.of(draft.state().key(), id, model, ask, partition, by, draft.now(), TIMEOUT, SEARCH_LEASE));
    }

    // ---- search

    /** Runs the first search, or one requested by the model. */
    static void find(MemoryDraft draft, Thought thought) {
        Ask ask = thought.ask();
        List<Look> looks = thought.searches().isEmpty()
                ? first(thought)
                : List.of(look(ask, thought.searches().getLast(), kinds(thought), ask.types(), MAX_FURTHER));
        draft.effect(new MemoryEffect.Find(
                new Search(thought.callId(), thought.attempt(), draft.state().open(), looks, thought.leaseUntil())));
        draft.change(state -> state.with(thought));
    }

    private static List<Look> first(Thought thought) {
        Ask ask = thought.ask();
        var looks = new ArrayList<Look>();
        for (FactType type : List.of(FactType.MENTAL_MODEL, FactType.OBSERVATION)) {
            if (ask.types().isEmpty() || ask.types().contains(type)) {
                int most = type == FactType.MENTAL_MODEL ? MAX_MODELS : MAX_OBSERVATIONS;
                looks.add(look(ask, ask.question(), List.of("unit"), List.of(type), most));
            }
        }
        looks.add(look(ask, ask.question(), kinds(thought), ask.types(), MAX_OF_ALL));
        return looks;
    }

    private static List<String> kinds(Thought thought) {
        return thought.model() == null ? List.of("turn", "unit") : List.of("unit");
    }

    private static Look look(Ask ask, String query, List<String> kinds, List<FactType> types, int most) {
        return new Look(query, kinds, types, ask.tags(), most);
    }

    // ---- answer

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
                FactExtraction.used(draft, answer.callId(), answer.usage().tokens());
                ModelReflecting.said(draft, thought, answer);
            }
            case Embedded vectors
            when thought.step() == Step.MEANING -> ReflectionCompletion.embedded(draft, thought, vectors);
            case ModelFailed _ -> {
                FactExtraction.used(draft, result.callId(), 0);
                failed(draft, thought);
            }
            case RetryAfter later -> {
                FactExtraction.used(draft, result.callId(), 0);
                draft.change(state -> state.with(thought.later(draft.now().plus(later.delay()))));
            }
            case CallProgress _ ->
                draft.change(state -> state.with(thought.renewed(draft.now().plus(FactExtraction.LEASE))));
            case Found _,
                    ModelAnswered _,
                    Embedded _,
                    CallResult.WorkAnswered _,
                    CallResult.Settled _ -> {} // no answer to this call
            case CallResult.ToolAnswered _, CallResult.ChildFinished _ -> {} // nor this
        }
    }

    private static void found(MemoryDraft draft, Thought thought, Found found) {
        List<Sighting> there = found.sightings().stream()
                .filter(one -> Grounding.evidence(draft, one.id()).isPresent())
                .toList();
        answer(
                draft,
                thought.finding(there, MAX_FOUND),
                there.stream().map(Sighting::id).distinct().toList());
    }

    /** Calls a model; rules answer if there is none, or nothing relevant was found. */
    private static void answer(MemoryDraft draft, Thought thought, List<String> news) {
        if (thought.ask().reader() == null
                || thought.found().isEmpty()
                || thought.modelCalls() >= MODEL_CALLS
                || !draft.now().isBefore(thought.deadline())) {
            byRules(draft, thought);
        } else {
            ModelReflecting.askModel(
                    draft,
                    thought.showing(Grounding.shown(draft, thought.shown(), news))
                            .asking(
                                    draft.state().key(),
                                    Step.ANSWER,
                                    draft.now().plus(FactExtraction.LEASE)));
        }
    }

    // ---- without a model

    static void byRules(MemoryDraft draft, Thought thought) {
        FactExtraction.lost(draft, thought.callId());
        var pieces = new ArrayList<Extract.Piece>();
        for (Sighting one : thought.found()) {
            Grounding.evidence(draft, one.id())
                    .ifPresent(piece -> pieces.add(new Extract.Piece(
                            piece, one.score(), Grounding.unit(draft, one.id()).isPresent())));
        }
        Extract extract = Extract.of(pieces, draft.state().directives(), ModelReflecting.mostCharacters(thought));
        Thought next = thought.taking(extract.conclusion().basedOn());
        if (extract.withheld() == null) {
            ReflectionCompletion.conclude(draft, next, extract.conclusion());
        } else {
            ReflectionCompletion.finish(
                    draft, next.concluding(extract.conclusion()), extract.withheld(), null, List.of());
        }
    }

    // ---- failures

    static void failed(MemoryDraft draft, Thought thought) {
        if (thought.failures() + 1 < MODEL_ATTEMPTS) {
            long millis = FIRST_BACKOFF.toMillis() << thought.failures();
            draft.change(state -> state.with(thought.failed(draft.now().plusMillis(millis))));
            return;
        }
        switch (thought.step()) {
            case SEARCH -> unsearched(draft, thought);
            case ANSWER -> byRules(draft, thought);
            case MEANING -> ReflectionCompletion.meant(draft, thought, null, List.of());
        }
    }

    /** Continues without the search that the model requested. */
    private static void unsearched(MemoryDraft draft, Thought thought) {
        if (thought.searches().isEmpty()) {
            ReflectionCompletion.refuse(draft, thought, "no_answer", "the bank could not be searched: ask again later");
        } else {
            answer(draft, thought, List.of());
        }
    }

    /** An unusable model answer counts as a failure; other results are not retried. */
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
        Thought again =
                thought.again(draft.now().plus(thought.step() == Step.ANSWER ? FactExtraction.LEASE : SEARCH_LEASE));
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
                    ModelReflecting.askModel(draft, again);
                }
            }
            case MEANING -> ReflectionCompletion.meant(draft, thought, null, List.of());
        }
    }

    /** Restarts a reflection whose evidence has changed. */
    static void anew(MemoryDraft draft, Thought thought) {
        FactExtraction.lost(draft, thought.callId());
        find(
                draft,
                thought.forgetful()
                        .asking(draft.state().key(), Step.SEARCH, draft.now().plus(SEARCH_LEASE)));
    }

    /** Something was erased: each reflection restarts, or ends with its bank. */
    static void forget(MemoryDraft draft, boolean whole) {
        for (Thought thought : draft.state().thoughts()) {
            if (whole) {
                ReflectionCompletion.refuse(draft, thought, "erased", "the bank was erased");
            } else {
                anew(draft, thought);
            }
        }
    }

    /** Drops the reflections of an erased session. Returns whether there were any. */
    static boolean erased(MemoryDraft draft, RecordKey session) {
        List<Thought> asked = draft.state().thoughts().stream()
                .filter(thought -> session.equals(thought.ask().session()))
                .toList();
        asked.forEach(thought ->
                ReflectionCompletion.refuse(draft, thought, "erased", "the session in which it was asked is erased"));
        return !asked.isEmpty();
    }

    /** Drops the refresh of a mental model. */
    static void drop(MemoryDraft draft, UUID model) {
        for (Thought thought : draft.state().thoughts()) {
            if (model.equals(thought.model())) {
                FactExtraction.lost(draft, thought.callId());
                draft.change(state -> state.without(thought));
            }
        }
    }
}

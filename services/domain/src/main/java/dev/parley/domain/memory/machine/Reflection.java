package dev.parley.domain.memory.machine;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.BankState.Standing;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.MemoryCommand.Reflect;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MentalModel;
import dev.parley.domain.memory.PendingInference;
import dev.parley.domain.memory.PendingInference.Ask;
import dev.parley.domain.memory.PendingInference.Step;
import dev.parley.domain.memory.Search;
import dev.parley.domain.memory.Search.Query;
import dev.parley.domain.memory.reflect.Extract;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.CallResult.Embedded;
import dev.parley.domain.protocol.CallResult.Found;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CallResult.Sighting;
import dev.parley.domain.protocol.CommandMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
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
final class Reflection {
    /** Maximum concurrent reflections of a bank, not counting refreshes of mental models. */
    static final int AT_ONCE = 4;

    /** Maximum model calls per question. */
    static final int MODEL_CALLS = 6;

    /** Maximum searches by a model. */
    static final int SEARCHES = 3;

    /** Timeout, after which rules answer with the results so far. */
    static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Timeout of embedding the answer; without a vector it is found by keywords only. */
    static final Duration EMBEDDING_TIMEOUT = Duration.ofSeconds(5);

    static final Duration SEARCH_LEASE = Duration.ofSeconds(5);

    private static final int MAX_QUESTION_LENGTH = 4_000;
    private static final int MAX_ASKER_LENGTH = 2_000;
    private static final int MIN_TOKENS = 50;
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

    private Reflection() {}

    static void reflect(MemoryDraft draft, Reflect reflect) {
        UUID id = reflect.meta().commandId();
        Optional<PendingInference> running = draft.state().thoughts().stream()
                .filter(thought -> thought.id().equals(id))
                .findFirst();
        if (running.isPresent()) { // the last requester gets the outcome
            draft.change(state -> state.withThought(
                    running.get().withOutcomePartition(reflect.meta().outcomePartition())));
        } else if (!isRefused(draft, reflect)) {
            CommandMeta meta = reflect.meta();
            Ask request = Ask.of(reflect, draft.readerOr(reflect.reader()));
            begin(draft, id, null, request, meta.outcomePartition(), meta.user());
        }
    }

    private static boolean isRefused(MemoryDraft draft, Reflect reflect) {
        Optional<String> invalid = validationError(reflect);
        if (invalid.isPresent()) {
            draft.refuse("invalid_question", invalid.get());
        } else if (draft.state().isErased(reflect.session(), reflect.meta().at())) {
            draft.refuse("erased", "the session in which it is asked is erased");
        } else if (draft.state().bank() == null) {
            draft.refuse("unknown_bank", "there is no such bank: no content was ever retained in it");
        } else if (requestedCount(draft) >= AT_ONCE) {
            draft.refuse("bank_busy", "the bank thinks about " + AT_ONCE + " questions already: ask again later");
        } else {
            return false;
        }
        return true;
    }

    /** Number of running reflections that were requested, so without refreshes of mental models. */
    private static long requestedCount(MemoryDraft draft) {
        return draft.state().thoughts().stream()
                .filter(thought -> thought.model() == null)
                .count();
    }

    private static Optional<String> validationError(Reflect reflect) {
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
        if (reflect.maxTokens() < MIN_TOKENS || reflect.maxTokens() > MAX_TOKENS) {
            return Optional.of("an answer has %d to %,d tokens".formatted(MIN_TOKENS, MAX_TOKENS));
        }
        return Optional.empty();
    }

    /** Refreshes a mental model. */
    static void refresh(MemoryDraft draft, Standing modelState) {
        MentalModel model = modelState.model();
        List<FactType> facts = List.of(FactType.WORLD, FactType.EXPERIENCE, FactType.OBSERVATION);
        var request =
                new Ask(model.question(), null, null, model.tags(), facts, Reflect.DEFAULT_TOKENS, draft.reader());
        UUID id = Ids.of("refresh", model.id(), draft.state().lastSeq(), draft.now());
        begin(draft, id, model.id(), request, null, null);
    }

    private static void begin(
            MemoryDraft draft,
            UUID id,
            @Nullable UUID model,
            Ask request,
            @Nullable Integer partition,
            @Nullable String user) {
        search(
                draft,
                PendingInference.of(
                        draft.state().key(), id, model, request, partition, user, draft.now(), TIMEOUT, SEARCH_LEASE));
    }

    /** Runs the first search, or one requested by the model. */
    static void search(MemoryDraft draft, PendingInference thought) {
        Ask request = thought.ask();
        List<Query> queries = thought.searches().isEmpty()
                ? initialQueries(thought)
                : List.of(query(request, thought.searches().getLast(), kinds(thought), request.types(), MAX_FURTHER));
        draft.effect(new MemoryEffect.RunSearch(new Search(
                thought.callId(),
                thought.attempt(),
                draft.state().open(),
                queries,
                zone(draft, thought),
                thought.leaseUntil())));
        draft.change(state -> state.withThought(thought));
    }

    /** The zone of who asks. */
    static ZoneId zone(MemoryDraft draft, PendingInference thought) {
        return draft.view().zones().of(draft.state().open(), thought.by());
    }

    private static List<Query> initialQueries(PendingInference thought) {
        Ask request = thought.ask();
        var queries = new ArrayList<Query>();
        for (FactType type : List.of(FactType.MENTAL_MODEL, FactType.OBSERVATION)) {
            if (request.types().isEmpty() || request.types().contains(type)) {
                int limit = type == FactType.MENTAL_MODEL ? MAX_MODELS : MAX_OBSERVATIONS;
                queries.add(query(request, request.question(), List.of("unit"), List.of(type), limit));
            }
        }
        queries.add(query(request, request.question(), kinds(thought), request.types(), MAX_OF_ALL));
        return queries;
    }

    private static List<String> kinds(PendingInference thought) {
        return thought.model() == null ? List.of("turn", "unit") : List.of("unit");
    }

    private static Query query(Ask request, String text, List<String> kinds, List<FactType> types, int limit) {
        return new Query(text, kinds, types, request.tags(), limit);
    }

    static void onCallResult(MemoryDraft draft, CallResult result) {
        draft.state().thoughts().stream()
                .filter(thought -> thought.awaits(result))
                .findFirst()
                .ifPresent(thought -> onCallResult(draft, thought, result));
    }

    private static void onCallResult(MemoryDraft draft, PendingInference thought, CallResult result) {
        switch (result) {
            case Found found when thought.step() == Step.SEARCH -> onFound(draft, thought, found);
            case ModelAnswered answer
            when thought.step() == Step.ANSWER -> ModelReflection.onModelAnswered(draft, thought, answer);
            case Embedded vectors
            when thought.step() == Step.MEANING -> ReflectionCompletion.onEmbedded(draft, thought, vectors);
            case ModelFailed failure -> onModelFailed(draft, thought, failure);
            case RetryAfter retryAfter -> onRetryAfter(draft, thought, retryAfter);
            case CallProgress _ ->
                draft.change(state ->
                        state.withThought(thought.renewLease(draft.now().plus(BankCalls.LEASE))));
            case Found _,
                    ModelAnswered _,
                    Embedded _,
                    CallResult.WorkAnswered _,
                    CallResult.Settled _,
                    CallResult.ToolAnswered _,
                    CallResult.ChildFinished _ -> {} // not the answer to this call
        }
    }

    private static void onModelFailed(MemoryDraft draft, PendingInference thought, ModelFailed failure) {
        BankCalls.charge(draft, failure.callId(), 0);
        retryOrFallBack(draft, thought);
    }

    private static void onRetryAfter(MemoryDraft draft, PendingInference thought, RetryAfter retryAfter) {
        BankCalls.charge(draft, retryAfter.callId(), 0);
        draft.change(state -> state.withThought(thought.withRetryAt(draft.now().plus(retryAfter.delay()))));
    }

    private static void onFound(MemoryDraft draft, PendingInference thought, Found found) {
        List<Sighting> available = found.sightings().stream()
                .filter(result -> Grounding.evidence(draft, result.id()).isPresent())
                .toList();
        answer(
                draft,
                thought.withResults(available, MAX_FOUND),
                available.stream().map(Sighting::id).distinct().toList());
    }

    /** Calls a model; rules answer if there is no model or no relevant result. */
    private static void answer(MemoryDraft draft, PendingInference thought, List<String> newIds) {
        if (thought.ask().reader() == null
                || thought.found().isEmpty()
                || thought.modelCalls() >= MODEL_CALLS
                || !draft.now().isBefore(thought.deadline())) {
            answerByRules(draft, thought);
        } else {
            ModelReflection.callModel(
                    draft,
                    thought.showing(Grounding.mergeShown(draft, thought.shown(), newIds))
                            .withCall(draft, Step.ANSWER, BankCalls.LEASE));
        }
    }

    static void answerByRules(MemoryDraft draft, PendingInference thought) {
        BankCalls.chargeReservation(draft, thought.callId());
        var pieces = new ArrayList<Extract.Piece>();
        for (Sighting result : thought.found()) {
            Grounding.evidence(draft, result.id())
                    .ifPresent(piece -> pieces.add(new Extract.Piece(
                            piece,
                            result.score(),
                            Grounding.unit(draft, result.id()).isPresent())));
        }
        Extract extract = Extract.of(pieces, draft.state().directives(), ModelReflection.maxCharacters(thought));
        PendingInference next = thought.quoting(extract.conclusion().basedOn());
        if (extract.withheld() == null) {
            ReflectionCompletion.conclude(draft, next, extract.conclusion());
        } else {
            ReflectionCompletion.finish(
                    draft, next.withConclusion(extract.conclusion()), extract.withheld(), TextVectors.NONE);
        }
    }

    static void retryOrFallBack(MemoryDraft draft, PendingInference thought) {
        if (thought.failures() + 1 < BankCalls.MODEL_ATTEMPTS) {
            Instant retryAt = draft.now().plus(BankCalls.backoff(thought.failures()));
            draft.change(state -> state.withThought(thought.failAttempt(retryAt)));
            return;
        }
        switch (thought.step()) {
            case SEARCH -> onSearchFailed(draft, thought);
            case ANSWER -> answerByRules(draft, thought);
            case MEANING -> ReflectionCompletion.complete(draft, thought, TextVectors.NONE);
        }
    }

    /** Continues without the search that the model requested. */
    private static void onSearchFailed(MemoryDraft draft, PendingInference thought) {
        if (thought.searches().isEmpty()) {
            ReflectionCompletion.refuse(draft, thought, "no_answer", "the bank could not be searched: ask again later");
        } else {
            answer(draft, thought, List.of());
        }
    }

    /** An unusable model answer counts as a failure; other results are not retried. */
    static void onUnusableResult(MemoryDraft draft, UUID callId) {
        draft.state().thoughts().stream()
                .filter(thought -> thought.callId().equals(callId) && thought.retryAt() == null)
                .findFirst()
                .ifPresent(thought -> retryOrFallBack(draft, thought));
    }

    static void tick(MemoryDraft draft) {
        for (PendingInference thought : draft.state().thoughts()) {
            if (!thought.due().isAfter(draft.now())) {
                retry(draft, thought);
            }
        }
    }

    /** Retries the pending call, or continues without it when the time or the model calls are used up. */
    private static void retry(MemoryDraft draft, PendingInference thought) {
        boolean isPastDeadline = !draft.now().isBefore(thought.deadline());
        PendingInference next =
                thought.retry(draft.now().plus(thought.step() == Step.ANSWER ? BankCalls.LEASE : SEARCH_LEASE));
        switch (thought.step()) {
            case SEARCH -> {
                if (isPastDeadline) {
                    onSearchFailed(draft, thought);
                } else {
                    search(draft, next);
                }
            }
            case ANSWER -> {
                if (isPastDeadline || thought.modelCalls() >= MODEL_CALLS) {
                    answerByRules(draft, thought);
                } else {
                    ModelReflection.callModel(draft, next);
                }
            }
            case MEANING -> ReflectionCompletion.complete(draft, thought, TextVectors.NONE);
        }
    }

    /** Restarts a reflection whose evidence has changed. */
    static void restart(MemoryDraft draft, PendingInference thought) {
        BankCalls.chargeReservation(draft, thought.callId());
        search(draft, thought.restart().withCall(draft, Step.SEARCH, SEARCH_LEASE));
    }

    /** Handles an erasure: each reflection restarts, or ends with its bank. */
    static void onErased(MemoryDraft draft, boolean wholeBank) {
        for (PendingInference thought : draft.state().thoughts()) {
            if (wholeBank) {
                ReflectionCompletion.refuse(draft, thought, "erased", "the bank was erased");
            } else {
                restart(draft, thought);
            }
        }
    }

    /** Cancels the reflections of an erased session. Returns whether there were any. */
    static boolean cancelIn(MemoryDraft draft, RecordKey session) {
        List<PendingInference> ofSession = draft.state().thoughts().stream()
                .filter(thought -> session.equals(thought.ask().session()))
                .toList();
        ofSession.forEach(thought ->
                ReflectionCompletion.refuse(draft, thought, "erased", "the session in which it was asked is erased"));
        return !ofSession.isEmpty();
    }

    /** Cancels the refresh of a mental model. */
    static void cancelRefresh(MemoryDraft draft, UUID model) {
        for (PendingInference thought : draft.state().thoughts()) {
            if (model.equals(thought.model())) {
                BankCalls.chargeReservation(draft, thought.callId());
                draft.change(state -> state.withoutThought(thought));
            }
        }
    }
}

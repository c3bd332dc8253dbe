package dev.parley.domain.memory.machine;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.Provenance;
import dev.parley.domain.memory.ReviewQueue;
import dev.parley.domain.memory.ReviewQueue.Asking;
import dev.parley.domain.memory.ReviewQueue.Seen;
import dev.parley.domain.memory.ReviewQueueAskingBuilder;
import dev.parley.domain.memory.consolidate.ModelConsolidation.Read;
import dev.parley.domain.memory.prompt.Prompt;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.CallResult.Embedded;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Usage;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Consolidation by a model, after rules have joined equal facts. {@link #DELAY} after something was learned, the model
 * is shown the first few queued facts with related facts and observations, then the next few: one request per bank at a
 * time. The texts it writes are embedded before they are applied.
 *
 * <p>Facts that are in an observation, or have nothing related, are skipped. Facts about which the model says nothing
 * stay as they are. While the budget is exhausted or no model answers, facts wait. If something shown has changed by
 * the time of the answer, the request is repeated.
 *
 * <p>An observation's text may contain anything the model was shown. So its sources are the cited facts, which support
 * it, followed by every shown item that shares a word with the text which no cited one contains: if one of them is
 * erased, so is the observation.
 */
final class ConsolidationCalls {
    /** Delay of a request after something was learned, to collect more facts. */
    static final Duration DELAY = Duration.ofSeconds(30);

    /** Delay after no model answered. */
    static final Duration PAUSE = Duration.ofMinutes(10);

    private static final int MAX_ANSWER_LENGTH = 20_000;
    private static final int MAX_EXAMINED = 256;
    private static final Duration MIN_DELAY = Duration.ofMillis(1);

    private ConsolidationCalls() {}

    /**
     * Queues the facts learned by this decision.
     *
     * @param reader agent whose model extracted them, or null if rules did
     */
    static void queueLearnedFacts(MemoryDraft draft, @Nullable Agent reader) {
        draft.events().stream()
                .filter(event -> event instanceof UnitLearned learned && isConsolidated(draft, learned))
                .findFirst()
                .ifPresent(first -> set(
                        draft,
                        backlog(draft)
                                .addLearned(first.meta().seq(), draft.now().plus(DELAY), reader)));
    }

    /** Requeues facts whose observation, written by a model, no longer exists. */
    static void requeue(MemoryDraft draft, List<UUID> facts) {
        if (!facts.isEmpty() && reader(draft).isPresent()) {
            set(draft, backlog(draft).requeue(facts, draft.now().plus(DELAY)));
        }
    }

    private static boolean isConsolidated(MemoryDraft draft, UnitLearned learned) {
        Provenance provenance = learned.unit().provenance();
        return learned.unit().type().isFact()
                && provenance != null
                && (provenance.model() != null || draft.reader() != null);
    }

    /** The bank's own model, or the one that extracted the newest facts. */
    private static Optional<Agent> reader(MemoryDraft draft) {
        return Optional.ofNullable(draft.reader())
                .or(() -> Optional.ofNullable(backlog(draft).reader()));
    }

    private static ReviewQueue backlog(MemoryDraft draft) {
        return draft.state().backlog();
    }

    private static void set(MemoryDraft draft, ReviewQueue backlog) {
        draft.change(state -> state.withBacklog(backlog));
    }

    private static void setAsking(MemoryDraft draft, Asking asking) {
        set(draft, backlog(draft).withAsking(asking));
    }

    /** Time of the next action; null for none. An incomplete branch does nothing. */
    static @Nullable Instant due(BankState state) {
        return state.branches().arriving() ? null : state.backlog().nextDue();
    }

    static void tick(MemoryDraft draft) {
        Instant due = due(draft.state());
        if (due == null || due.isAfter(draft.now())) {
            return;
        }
        Asking pending = backlog(draft).asking();
        if (pending == null) {
            begin(draft);
        } else if (pending.retryAt() == null && pending.answer() == null) {
            retryOrRequeue(draft, pending); // its worker has stopped
        } else {
            send(draft, pending.retry(draft.now().plus(BankCalls.LEASE)));
        }
    }

    /** Requests consolidation of the first facts that have related units. */
    private static void begin(MemoryDraft draft) {
        Optional<Agent> reader = reader(draft);
        if (reader.isEmpty()) { // the bank's model was removed
            set(
                    draft,
                    backlog(draft).withFacts(draft.state().lastSeq(), List.of()).schedule(null));
            return;
        }
        gather(draft);
        var observations = new Observations(draft);
        List<UUID> queue = new ArrayList<>(backlog(draft).facts());
        while (!queue.isEmpty()) {
            Optional<ConsolidationBatch> next = ConsolidationBatch.take(observations, draft, queue);
            if (next.isPresent()) {
                set(draft, backlog(draft).withFacts(backlog(draft).to(), queue));
                send(draft, asking(draft, next.get()));
                return;
            }
        }
        long to = backlog(draft).to();
        set(draft, backlog(draft).withFacts(to, List.of()).schedule(to < lastStoredSeq(draft) ? soon(draft) : null));
    }

    /** The earliest later time: a tick that has more to do schedules another one. */
    private static Instant soon(MemoryDraft draft) {
        return draft.now().plus(MIN_DELAY);
    }

    /** The number of the newest stored event. */
    private static long lastStoredSeq(MemoryDraft draft) {
        return draft.state().lastSeq() - draft.events().size();
    }

    /** Fills the list from the events. */
    private static void gather(MemoryDraft draft) {
        ReviewQueue backlog = backlog(draft);
        if (backlog.to() >= lastStoredSeq(draft)) {
            return;
        }
        var facts = new ArrayList<>(backlog.facts());
        List<MemoryEvent> log = draft.view().log().from(backlog.to() + 1, MAX_EXAMINED);
        long to = lastExaminedSeq(draft, log);
        for (MemoryEvent event : log) {
            if (event instanceof UnitLearned learned && isConsolidated(draft, learned)) {
                if (facts.size() >= ReviewQueue.MAX_FACTS) {
                    to = event.meta().seq() - 1;
                    break;
                }
                if (!facts.contains(learned.unit().id())) {
                    facts.add(learned.unit().id());
                }
            }
        }
        set(draft, backlog.withFacts(Math.max(to, backlog.to()), facts));
    }

    private static long lastExaminedSeq(MemoryDraft draft, List<MemoryEvent> log) {
        return log.size() < MAX_EXAMINED
                ? lastStoredSeq(draft)
                : log.getLast().meta().seq();
    }

    private static Asking asking(MemoryDraft draft, ConsolidationBatch next) {
        UUID callId = Ids.of(
                "consolidate",
                draft.state().key(),
                next.fresh().getFirst().unit().id(),
                draft.state().lastSeq(),
                draft.now());
        return ReviewQueueAskingBuilder.builder()
                .callId(callId)
                .attempt(1)
                .leaseUntil(draft.now().plus(BankCalls.LEASE))
                .fresh(ConsolidationInput.ids(next.fresh()))
                .known(ConsolidationInput.ids(next.known()))
                .shown(next.shown().stream()
                        .map(event -> new Seen(event.unit().id(), event.unit().version()))
                        .toList())
                .prompt("")
                .usage(Usage.NONE)
                .build();
    }

    /** Calls the model, or requests the vectors of its texts. */
    private static void send(MemoryDraft draft, Asking pending) {
        if (pending.answer() != null) {
            withChanges(draft, pending, (input, changes) -> embed(draft, pending, input, changes));
            return;
        }
        Optional<ConsolidationInput> input = ConsolidationInput.of(draft, pending);
        Optional<Agent> reader = reader(draft);
        if (input.isEmpty() || reader.isEmpty()) {
            requeue(draft, pending, soon(draft));
            return;
        }
        Prompt prompt = input.get().prompt(draft);
        ModelRequest request = BankCalls.request(
                draft, pending.callId(), pending.attempt(), reader.get(), prompt, pending.leaseUntil());
        if (BankCalls.reserve(draft, request)) {
            draft.effect(new MemoryEffect.CallModel(request));
            setAsking(draft, pending.withPrompt(prompt.digest()));
        } else {
            requeue(draft, pending, draft.now().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(1)));
        }
    }

    /** Requeues the facts of the pending request at the end. */
    private static void requeue(MemoryDraft draft, Asking pending, Instant nextRequest) {
        BankCalls.chargeReservation(draft, pending.callId());
        set(draft, backlog(draft).schedule(nextRequest).requeue(pending.fresh(), nextRequest));
    }

    static void onCallResult(MemoryDraft draft, CallResult result) {
        Asking pending = backlog(draft).asking();
        if (pending != null && pending.awaits(result)) {
            onCallResult(draft, pending, result);
        }
    }

    private static void onCallResult(MemoryDraft draft, Asking pending, CallResult result) {
        switch (result) {
            case ModelAnswered answer when pending.answer() == null -> onModelAnswered(draft, pending, answer);
            case Embedded vectors
            when pending.answer() != null ->
                withChanges(draft, pending, (input, changes) -> onEmbedded(draft, pending, input, changes, vectors));
            case ModelFailed failure -> onModelFailed(draft, pending, failure);
            case RetryAfter retryAfter -> onRetryAfter(draft, pending, retryAfter);
            case CallProgress _ ->
                setAsking(draft, pending.withLeaseUntil(draft.now().plus(BankCalls.LEASE)));
            case ModelAnswered _,
                    Embedded _,
                    CallResult.ToolAnswered _,
                    CallResult.ChildFinished _,
                    CallResult.WorkAnswered _,
                    CallResult.Settled _,
                    CallResult.Found _ -> {} // not the answer to this call
        }
    }

    private static void onModelFailed(MemoryDraft draft, Asking pending, ModelFailed failure) {
        BankCalls.charge(draft, failure.callId(), 0);
        retryOrRequeue(draft, pending);
    }

    private static void onRetryAfter(MemoryDraft draft, Asking pending, RetryAfter retryAfter) {
        BankCalls.charge(draft, retryAfter.callId(), 0);
        setAsking(draft, pending.withRetryAt(draft.now().plus(retryAfter.delay())));
    }

    private static void onModelAnswered(MemoryDraft draft, Asking pending, ModelAnswered answer) {
        BankCalls.charge(draft, answer.callId(), answer.usage().tokens());
        Optional<ConsolidationInput> input = ConsolidationInput.of(draft, pending);
        if (input.isEmpty()) {
            requeue(draft, pending, soon(draft));
            return;
        }
        String text = Message.text(answer.blocks());
        Read read = text.length() > MAX_ANSWER_LENGTH
                ? new Read.Unusable("it is too long")
                : input.get().read(text);
        switch (read) {
            case Read.Unusable _
            when pending.failures() + 1 < BankCalls.MODEL_ATTEMPTS -> retryOrRequeue(draft, pending);
            case Read.Unusable _ -> set(draft, backlog(draft).schedule(soon(draft))); // the facts are not consolidated
            case Read.Changes changes -> embed(draft, answered(draft, pending, answer), input.get(), changes);
        }
    }

    /** The request with the model's answer, waiting for vectors. */
    private static Asking answered(MemoryDraft draft, Asking pending, ModelAnswered answer) {
        return pending.withAnswer(
                Ids.of("consolidated", pending.callId()),
                Message.text(answer.blocks()),
                answer.provider() + "/" + answer.model(),
                answer.usage(),
                draft.now().plus(BankCalls.LEASE));
    }

    private static void apply(
            MemoryDraft draft, Asking pending, ConsolidationInput input, Read.Changes changes, TextVectors vectors) {
        ModelObservations.apply(draft, pending, input, changes, vectors);
        set(draft, backlog(draft).schedule(soon(draft)));
    }

    /** Retries the model, and then requeues its facts at the end; vectors are retried until they arrive. */
    private static void retryOrRequeue(MemoryDraft draft, Asking pending) {
        if (pending.answer() == null && pending.failures() + 1 >= BankCalls.MODEL_ATTEMPTS) {
            requeue(draft, pending, draft.now().plus(PAUSE));
        } else {
            setAsking(draft, pending.failAttempt(draft.now().plus(BankCalls.backoff(pending.failures()))));
        }
    }

    /** The answer is unusable; its facts stay as they are. */
    static void onUnusableResult(MemoryDraft draft, UUID callId) {
        if (backlog(draft).awaits(callId)) {
            BankCalls.chargeReservation(draft, callId);
            set(draft, backlog(draft).schedule(soon(draft)));
        }
    }

    /**
     * Ends the pending request; its facts stay as they are.
     *
     * @param callId the call of the request; null if it is due
     */
    static void giveUp(MemoryDraft draft, @Nullable UUID callId) {
        Instant due = due(draft.state());
        boolean isDue = due != null && !due.isAfter(draft.now());
        if (callId == null ? isDue : backlog(draft).awaits(callId)) {
            Asking pending = backlog(draft).asking();
            if (pending != null) {
                BankCalls.chargeReservation(draft, pending.callId());
            }
            set(draft, backlog(draft).schedule(draft.now().plus(PAUSE)));
        }
    }

    /** Handles an erasure of content that the pending request may contain. */
    static void onErased(MemoryDraft draft, boolean wholeBank) {
        Asking pending = backlog(draft).asking();
        if (pending != null) {
            requeue(draft, pending, soon(draft));
        }
        if (wholeBank) {
            set(draft, ReviewQueue.NONE);
        }
    }

    /** Passes on the model's changes if all units that it was shown are unchanged; otherwise requeues the facts. */
    private static void withChanges(
            MemoryDraft draft, Asking pending, BiConsumer<ConsolidationInput, Read.Changes> action) {
        Optional<ConsolidationInput> input = ConsolidationInput.of(draft, pending);
        if (input.isPresent() && input.get().read(pending.answerText()) instanceof Read.Changes changes) {
            action.accept(input.get(), changes);
        } else {
            requeue(draft, pending, soon(draft));
        }
    }

    /** Requests the vectors of the changes' texts; changes without texts are applied immediately. */
    private static void embed(MemoryDraft draft, Asking pending, ConsolidationInput input, Read.Changes changes) {
        List<String> texts = ModelObservations.texts(input, changes);
        if (texts.isEmpty()) {
            apply(draft, pending, input, changes, TextVectors.NONE);
        } else {
            draft.effect(new MemoryEffect.Embed(
                    BankCalls.embedRequest(draft, pending.callId(), pending.attempt(), texts, pending.leaseUntil())));
            setAsking(draft, pending);
        }
    }

    private static void onEmbedded(
            MemoryDraft draft, Asking pending, ConsolidationInput input, Read.Changes changes, Embedded answer) {
        int texts = ModelObservations.texts(input, changes).size();
        if (BankCalls.isUsable(answer.vectors(), texts)
                && answer.generation().equals(draft.state().generations().current())) {
            apply(draft, pending, input, changes, new TextVectors(answer.generation(), answer.vectors()));
        } else {
            retryOrRequeue(draft, pending);
        }
    }
}

package dev.parley.domain.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.Backlog.Asking;
import dev.parley.domain.memory.Backlog.Seen;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
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

    // ---- queue

    /**
     * Queues the facts learned by this decision.
     *
     * @param reader agent whose model extracted them, or null if rules did
     */
    static void learned(MemoryDraft draft, @Nullable Agent reader) {
        draft.events().stream()
                .filter(event -> event instanceof UnitLearned learned && isConsolidated(draft, learned))
                .findFirst()
                .ifPresent(first -> set(
                        draft,
                        backlog(draft).learned(first.meta().seq(), draft.now().plus(DELAY), reader)));
    }

    /** Requeues facts whose observation, written by a model, is gone. */
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

    private static Backlog backlog(MemoryDraft draft) {
        return draft.state().backlog();
    }

    private static void set(MemoryDraft draft, Backlog backlog) {
        draft.change(state -> state.withBacklog(backlog));
    }

    /** When the next action is due; null for none. An incomplete branch does nothing. */
    static @Nullable Instant due(BankState state) {
        return state.branches().arriving() ? null : state.backlog().nextDue();
    }

    static void tick(MemoryDraft draft) {
        Instant due = due(draft.state());
        if (due == null || due.isAfter(draft.now())) {
            return;
        }
        Asking asking = backlog(draft).asking();
        if (asking == null) {
            begin(draft);
        } else if (asking.retryAt() == null && asking.answer() == null) {
            failed(draft, asking); // its worker is gone
        } else {
            send(draft, asking.retried(draft.now().plus(BankCalls.LEASE)));
        }
    }

    // ---- request

    /** Requests consolidation of the first facts that have something related. */
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
        set(draft, backlog(draft).withFacts(to, List.of()).schedule(to < stored(draft) ? soon(draft) : null));
    }

    /** The earliest later time: a tick that has more to do schedules another one. */
    private static Instant soon(MemoryDraft draft) {
        return draft.now().plus(MIN_DELAY);
    }

    /** The number of the newest stored event. */
    private static long stored(MemoryDraft draft) {
        return draft.state().lastSeq() - draft.events().size();
    }

    /** Fills the list from the events. */
    private static void gather(MemoryDraft draft) {
        Backlog backlog = backlog(draft);
        if (backlog.to() >= stored(draft)) {
            return;
        }
        var facts = new ArrayList<>(backlog.facts());
        List<MemoryEvent> log = draft.view().log().from(backlog.to() + 1, MAX_EXAMINED);
        long to =
                log.size() < MAX_EXAMINED ? stored(draft) : log.getLast().meta().seq();
        for (MemoryEvent event : log) {
            if (event instanceof UnitLearned learned && isConsolidated(draft, learned)) {
                if (facts.size() >= Backlog.MAX_FACTS) {
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

    private static Asking asking(MemoryDraft draft, ConsolidationBatch next) {
        UUID callId = Ids.of(
                "consolidate",
                draft.state().key(),
                next.fresh().getFirst().unit().id(),
                draft.state().lastSeq(),
                draft.now());
        return new Asking(
                callId,
                1,
                0,
                draft.now().plus(BankCalls.LEASE),
                null,
                ConsolidationInput.ids(next.fresh()),
                ConsolidationInput.ids(next.known()),
                next.shown().stream()
                        .map(event -> new Seen(event.unit().id(), event.unit().version()))
                        .toList(),
                "",
                null,
                null,
                Usage.NONE);
    }

    /** Calls the model, or requests the vectors of what it wrote. */
    private static void send(MemoryDraft draft, Asking asking) {
        if (asking.answer() != null) {
            withChanges(draft, asking, (input, changes) -> embed(draft, asking, input, changes));
            return;
        }
        Optional<ConsolidationInput> input = ConsolidationInput.of(draft, asking);
        Optional<Agent> reader = reader(draft);
        if (input.isEmpty() || reader.isEmpty()) {
            requeue(draft, asking, soon(draft));
            return;
        }
        Prompt prompt = input.get().prompt(draft);
        ModelRequest request =
                BankCalls.request(draft, asking.callId(), asking.attempt(), reader.get(), prompt, asking.leaseUntil());
        if (BankCalls.reserve(draft, request)) {
            draft.effect(new MemoryEffect.CallModel(request));
            set(draft, backlog(draft).withAsking(asking.withPrompt(prompt.digest())));
        } else {
            requeue(draft, asking, draft.now().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(1)));
        }
    }

    /** Requeues the facts of the pending request at the end. */
    private static void requeue(MemoryDraft draft, Asking asking, Instant when) {
        BankCalls.chargeReservation(draft, asking.callId());
        set(draft, backlog(draft).schedule(when).requeue(asking.fresh(), when));
    }

    // ---- result

    static void answered(MemoryDraft draft, CallResult result) {
        Asking asking = backlog(draft).asking();
        if (asking == null
                || !asking.callId().equals(result.callId())
                || asking.attempt() != result.attempt()
                || asking.retryAt() != null) {
            return; // late, duplicate, or for another call
        }
        switch (result) {
            case ModelAnswered answer
            when asking.answer() == null -> {
                BankCalls.charge(draft, answer.callId(), answer.usage().tokens());
                modelAnswered(draft, asking, answer);
            }
            case Embedded vectors
            when asking.answer() != null ->
                withChanges(draft, asking, (input, changes) -> embedded(draft, asking, input, changes, vectors));
            case ModelFailed _ -> {
                BankCalls.charge(draft, result.callId(), 0);
                failed(draft, asking);
            }
            case RetryAfter later -> {
                BankCalls.charge(draft, result.callId(), 0);
                set(
                        draft,
                        backlog(draft).withAsking(asking.withRetryAt(draft.now().plus(later.delay()))));
            }
            case CallProgress _ ->
                set(
                        draft,
                        backlog(draft)
                                .withAsking(asking.withLeaseUntil(draft.now().plus(BankCalls.LEASE))));
            case ModelAnswered _,
                    Embedded _,
                    CallResult.ToolAnswered _,
                    CallResult.ChildFinished _,
                    CallResult.WorkAnswered _,
                    CallResult.Settled _,
                    CallResult.Found _ -> {} // not the answer to this call
        }
    }

    private static void modelAnswered(MemoryDraft draft, Asking asking, ModelAnswered answer) {
        Optional<ConsolidationInput> input = ConsolidationInput.of(draft, asking);
        if (input.isEmpty()) {
            requeue(draft, asking, soon(draft));
            return;
        }
        String text = Message.text(answer.blocks());
        Read read = text.length() > MAX_ANSWER_LENGTH
                ? new Read.Unusable("it is too long")
                : input.get().read(text);
        switch (read) {
            case Read.Unusable _ when asking.failures() + 1 < BankCalls.MODEL_ATTEMPTS -> failed(draft, asking);
            case Read.Unusable _ -> set(draft, backlog(draft).schedule(soon(draft))); // the facts are not consolidated
            case Read.Changes changes -> {
                Asking next = asking.answered(
                        Ids.of("consolidated", asking.callId()),
                        text,
                        answer.provider() + "/" + answer.model(),
                        answer.usage(),
                        draft.now().plus(BankCalls.LEASE));
                if (ModelObservations.texts(input.get(), changes).isEmpty()) {
                    apply(draft, next, input.get(), changes, TextVectors.NONE);
                } else {
                    embed(draft, next, input.get(), changes);
                }
            }
        }
    }

    private static void apply(
            MemoryDraft draft, Asking asking, ConsolidationInput input, Read.Changes changes, TextVectors vectors) {
        ModelObservations.apply(draft, asking, input, changes, vectors);
        set(draft, backlog(draft).schedule(soon(draft)));
    }

    /** Retries the model, and then requeues its facts at the end; vectors are retried until they arrive. */
    private static void failed(MemoryDraft draft, Asking asking) {
        if (asking.answer() == null && asking.failures() + 1 >= BankCalls.MODEL_ATTEMPTS) {
            requeue(draft, asking, draft.now().plus(PAUSE));
        } else {
            set(
                    draft,
                    backlog(draft).withAsking(asking.failed(draft.now().plus(BankCalls.backoff(asking.failures())))));
        }
    }

    /** The answer is unusable; its facts stay as they are. */
    static void unusable(MemoryDraft draft, UUID callId) {
        if (backlog(draft).awaits(callId)) {
            BankCalls.chargeReservation(draft, callId);
            set(draft, backlog(draft).schedule(soon(draft)));
        }
    }

    /** Something was erased that the pending request may contain. */
    static void erased(MemoryDraft draft, boolean whole) {
        Asking asking = backlog(draft).asking();
        if (asking != null) {
            requeue(draft, asking, soon(draft));
        }
        if (whole) {
            set(draft, Backlog.NONE);
        }
    }

    // ---- vectors

    /** Passes on what the model wrote if everything it was shown is unchanged; otherwise requeues the facts. */
    private static void withChanges(
            MemoryDraft draft, Asking asking, BiConsumer<ConsolidationInput, Read.Changes> then) {
        Optional<ConsolidationInput> input = ConsolidationInput.of(draft, asking);
        if (input.isPresent() && input.get().read(asking.answerText()) instanceof Read.Changes changes) {
            then.accept(input.get(), changes);
        } else {
            requeue(draft, asking, soon(draft));
        }
    }

    private static void embed(MemoryDraft draft, Asking asking, ConsolidationInput input, Read.Changes changes) {
        draft.effect(new MemoryEffect.Embed(BankCalls.embedRequest(
                draft,
                asking.callId(),
                asking.attempt(),
                ModelObservations.texts(input, changes),
                asking.leaseUntil())));
        set(draft, backlog(draft).withAsking(asking));
    }

    private static void embedded(
            MemoryDraft draft, Asking asking, ConsolidationInput input, Read.Changes changes, Embedded answer) {
        int texts = ModelObservations.texts(input, changes).size();
        if (BankCalls.isUsable(answer.vectors(), texts)
                && answer.generation().equals(draft.state().generations().current())) {
            apply(draft, asking, input, changes, new TextVectors(answer.generation(), answer.vectors()));
        } else {
            failed(draft, asking);
        }
    }
}

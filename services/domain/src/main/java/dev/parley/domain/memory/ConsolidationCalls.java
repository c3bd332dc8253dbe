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
final class ModelConsolidating {
    /** Delay of a request after something was learned, to collect more facts. */
    static final Duration DELAY = Duration.ofSeconds(30);

    /** Delay after no model answered. */
    static final Duration PAUSE = Duration.ofMinutes(10);

    private static final int MAX_ANSWER_LENGTH = 20_000;
    private static final int LOOKED = 256;
    private static final Duration MIN_DELAY = Duration.ofMillis(1);

    private ModelConsolidating() {}

    // ---- queue

    /**
     * Queues the facts learned by this decision.
     *
     * @param reader agent whose model extracted them, or null if rules did
     */
    static void learned(MemoryDraft draft, @Nullable Agent reader) {
        draft.events().stream()
                .filter(event -> event instanceof UnitLearned learned && isAsked(draft, learned))
                .findFirst()
                .ifPresent(first -> set(
                        draft,
                        backlog(draft).learned(first.meta().seq(), draft.now().plus(DELAY), reader)));
    }

    /** Requeues facts whose observation, written by a model, is gone. */
    static void left(MemoryDraft draft, List<UUID> facts) {
        if (!facts.isEmpty() && reader(draft).isPresent()) {
            set(draft, backlog(draft).again(facts, draft.now().plus(DELAY)));
        }
    }

    private static boolean isAsked(MemoryDraft draft, UnitLearned learned) {
        Provenance provenance = learned.unit().provenance();
        return learned.unit().type().isFact()
                && provenance != null
                && (provenance.model() != null || draft.reader(null) != null);
    }

    /** The bank's own model, or the one that extracted the newest facts. */
    private static Optional<Agent> reader(MemoryDraft draft) {
        return Optional.ofNullable(draft.reader(null))
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
        return state.branches().arriving() ? null : state.backlog().wake();
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
            failed(draft, asking); // nobody has it
        } else {
            ask(draft, asking.again(draft.now().plus(FactExtraction.LEASE)));
        }
    }

    // ---- request

    /** Requests consolidation of the first facts that have something related. */
    private static void begin(MemoryDraft draft) {
        Optional<Agent> reader = reader(draft);
        if (reader.isEmpty()) { // it was taken from the bank
            set(
                    draft,
                    backlog(draft).waiting(draft.state().lastSeq(), List.of()).next(null));
            return;
        }
        gather(draft);
        var consolidating = new Consolidating(draft);
        List<UUID> left = new ArrayList<>(backlog(draft).facts());
        while (!left.isEmpty()) {
            Optional<NextFacts> next = NextFacts.take(consolidating, draft, left);
            if (next.isPresent()) {
                set(draft, backlog(draft).waiting(backlog(draft).to(), left));
                ask(draft, asking(draft, next.get()));
                return;
            }
        }
        long to = backlog(draft).to();
        set(draft, backlog(draft).waiting(to, List.of()).next(to < stored(draft) ? soon(draft) : null));
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
        List<MemoryEvent> log = draft.view().log().from(backlog.to() + 1, LOOKED);
        long to = log.size() < LOOKED ? stored(draft) : log.getLast().meta().seq();
        for (MemoryEvent event : log) {
            if (event instanceof UnitLearned learned && isAsked(draft, learned)) {
                if (facts.size() >= Backlog.MAX_FACTS) {
                    to = event.meta().seq() - 1;
                    break;
                }
                if (!facts.contains(learned.unit().id())) {
                    facts.add(learned.unit().id());
                }
            }
        }
        set(draft, backlog.waiting(Math.max(to, backlog.to()), facts));
    }

    private static Asking asking(MemoryDraft draft, NextFacts next) {
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
                draft.now().plus(FactExtraction.LEASE),
                null,
                ConsolidationQuestion.ids(next.fresh()),
                ConsolidationQuestion.ids(next.known()),
                next.shown().stream()
                        .map(one -> new Seen(one.unit().id(), one.unit().version()))
                        .toList(),
                "",
                null,
                null,
                Usage.NONE);
    }

    /** Calls the model, or requests the vectors of what it wrote. */
    private static void ask(MemoryDraft draft, Asking asking) {
        if (asking.answer() != null) {
            written(draft, asking, (question, changes) -> embed(draft, asking, question, changes));
            return;
        }
        Optional<ConsolidationQuestion> question = ConsolidationQuestion.of(draft, asking);
        Optional<Agent> reader = reader(draft);
        if (question.isEmpty() || reader.isEmpty()) { // something of it has changed
            putBack(draft, asking, soon(draft));
            return;
        }
        Prompt prompt = question.get().prompt(draft);
        ModelRequest request = FactExtraction.request(
                draft, asking.callId(), asking.attempt(), reader.get(), prompt, asking.leaseUntil());
        if (FactExtraction.spends(draft, request)) {
            draft.effect(new MemoryEffect.AskModel(request));
            set(draft, backlog(draft).asking(asking.told(prompt.digest())));
        } else {
            putBack(draft, asking, draft.now().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(1)));
        }
    }

    /** Requeues the facts of the pending request at the end. */
    private static void putBack(MemoryDraft draft, Asking asking, Instant when) {
        FactExtraction.lost(draft, asking.callId());
        set(draft, backlog(draft).next(when).again(asking.fresh(), when));
    }

    // ---- result

    static void answered(MemoryDraft draft, CallResult result) {
        Asking asking = backlog(draft).asking();
        if (asking == null
                || !asking.callId().equals(result.callId())
                || asking.attempt() != result.attempt()
                || asking.retryAt() != null) {
            return; // late, twice, or for somebody else
        }
        switch (result) {
            case ModelAnswered answer
            when asking.answer() == null -> {
                FactExtraction.used(draft, answer.callId(), answer.usage().tokens());
                read(draft, asking, answer);
            }
            case Embedded vectors
            when asking.answer() != null ->
                written(draft, asking, (question, changes) -> embedded(draft, asking, question, changes, vectors));
            case ModelFailed _ -> {
                FactExtraction.used(draft, result.callId(), 0);
                failed(draft, asking);
            }
            case RetryAfter later -> {
                FactExtraction.used(draft, result.callId(), 0);
                set(draft, backlog(draft).asking(asking.later(draft.now().plus(later.delay()))));
            }
            case CallProgress _ ->
                set(draft, backlog(draft).asking(asking.renewed(draft.now().plus(FactExtraction.LEASE))));
            case ModelAnswered _,
                    Embedded _,
                    CallResult.ToolAnswered _,
                    CallResult.ChildFinished _,
                    CallResult.WorkAnswered _,
                    CallResult.Settled _,
                    CallResult.Found _ -> {} // no answer to this call
        }
    }

    private static void read(MemoryDraft draft, Asking asking, ModelAnswered answer) {
        String said = Message.text(answer.blocks());
        Optional<ConsolidationQuestion> question = ConsolidationQuestion.of(draft, asking);
        if (question.isEmpty()) {
            putBack(draft, asking, soon(draft));
            return;
        }
        Read read = said.length() > MAX_ANSWER_LENGTH
                ? new Read.Unusable("it is too long")
                : question.get().read(said);
        switch (read) {
            case Read.Unusable _ when asking.failures() + 1 < FactExtraction.MODEL_ATTEMPTS -> failed(draft, asking);
            case Read.Unusable _ -> set(draft, backlog(draft).next(soon(draft))); // its facts stay as they are
            case Read.Changes changes -> {
                Asking next = asking.answered(
                        Ids.of("consolidated", asking.callId()),
                        said,
                        answer.provider() + "/" + answer.model(),
                        answer.usage(),
                        draft.now().plus(FactExtraction.LEASE));
                if (WrittenObservations.texts(question.get(), changes).isEmpty()) {
                    WrittenObservations.carryOut(draft, next, question.get(), changes, null, List.of());
                    set(draft, backlog(draft).next(soon(draft)));
                } else {
                    embed(draft, next, question.get(), changes);
                }
            }
        }
    }

    /** Retries the model, and then requeues its facts at the end; vectors are retried until they arrive. */
    private static void failed(MemoryDraft draft, Asking asking) {
        if (asking.answer() == null && asking.failures() + 1 >= FactExtraction.MODEL_ATTEMPTS) {
            putBack(draft, asking, draft.now().plus(PAUSE));
        } else {
            set(
                    draft,
                    backlog(draft).asking(asking.failed(draft.now().plus(FactExtraction.backoff(asking.failures())))));
        }
    }

    /** The answer is unusable; its facts stay as they are. */
    static void giveUp(MemoryDraft draft, UUID callId) {
        if (backlog(draft).awaits(callId)) {
            FactExtraction.lost(draft, callId);
            set(draft, backlog(draft).next(soon(draft)));
        }
    }

    /** Something was erased that the pending request may contain. */
    static void forget(MemoryDraft draft, boolean whole) {
        Asking asking = backlog(draft).asking();
        if (asking != null) {
            putBack(draft, asking, soon(draft));
        }
        if (whole) {
            set(draft, Backlog.NONE);
        }
    }

    // ---- vectors

    /** Applies what the model wrote if everything it was shown is unchanged; otherwise repeats the request. */
    private static void written(
            MemoryDraft draft, Asking asking, BiConsumer<ConsolidationQuestion, Read.Changes> then) {
        Optional<ConsolidationQuestion> question = ConsolidationQuestion.of(draft, asking);
        if (question.isPresent() && question.get().read(asking.said()) instanceof Read.Changes changes) {
            then.accept(question.get(), changes);
        } else {
            putBack(draft, asking, soon(draft));
        }
    }

    private static void embed(MemoryDraft draft, Asking asking, ConsolidationQuestion question, Read.Changes changes) {
        draft.effect(new MemoryEffect.Embed(new EmbedRequest(
                asking.callId(),
                asking.attempt(),
                draft.state().generations().current(),
                WrittenObservations.texts(question, changes),
                asking.leaseUntil(),
                draft.now().plus(FactExtraction.DEADLINE))));
        set(draft, backlog(draft).asking(asking));
    }

    private static void embedded(
            MemoryDraft draft, Asking asking, ConsolidationQuestion question, Read.Changes changes, Embedded answer) {
        if (FactExtraction.isUsable(
                        answer.vectors(),
                        WrittenObservations.texts(question, changes).size())
                && answer.generation().equals(draft.state().generations().current())) {
            WrittenObservations.carryOut(draft, asking, question, changes, answer.generation(), answer.vectors());
            set(draft, backlog(draft).next(soon(draft)));
        } else {
            failed(draft, asking);
        }
    }
}

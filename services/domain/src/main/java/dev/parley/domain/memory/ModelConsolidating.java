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
 * How a model makes observations of facts, after rules have joined what says the same. Some moments after something was learned it is
 * asked about the first few facts, with those near them and the observations near them, and then about the next few: one question of
 * a bank at a time. What it writes gets its vectors before it is carried out.
 *
 * <p>A fact that is in an observation already is not asked about, and neither is one that nothing is near to. Facts that were
 * looked at stay as they are where the model says nothing of them. While the budget is spent, or no model answers, facts wait. What
 * was shown and has changed when the answer comes is asked about anew.
 *
 * <p>What an observation says may come from anything that the model was shown. So its sources are the facts that it cites, as many
 * of them as are its proof first, and behind them all that has a word of its text which no cited one has: when one of them is
 * erased, it is.
 */
final class ModelConsolidating {
    /** How long after something was learned the model is asked: until then more may come. */
    static final Duration REST = Duration.ofSeconds(30);

    /** How long facts wait when no model answers. */
    static final Duration PAUSE = Duration.ofMinutes(10);

    private static final int LONGEST_ANSWER = 20_000;
    private static final int LOOKED = 256;
    private static final Duration LEAST_REST = Duration.ofMillis(1);

    private ModelConsolidating() {}

    // ---- what waits

    /** Takes note of what this decision has learned. @param reader whose model found it, or null where rules did */
    static void learned(MemoryDraft draft, @Nullable Agent reader) {
        draft.events().stream()
                .filter(event -> event instanceof UnitLearned learned && isAsked(draft, learned))
                .findFirst()
                .ifPresent(first -> set(
                        draft,
                        backlog(draft).learned(first.meta().seq(), draft.now().plus(REST), reader)));
    }

    /** These facts are in no observation any more, since the one that a model made of them is gone. */
    static void left(MemoryDraft draft, List<UUID> facts) {
        if (!facts.isEmpty() && reader(draft).isPresent()) {
            set(draft, backlog(draft).again(facts, draft.now().plus(REST)));
        }
    }

    private static boolean isAsked(MemoryDraft draft, UnitLearned learned) {
        Provenance provenance = learned.unit().provenance();
        return learned.unit().type().isFact()
                && provenance != null
                && (provenance.model() != null || draft.reader(null) != null);
    }

    /** The bank's own model, or that which found the newest facts. */
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

    /** When the next thing has to be done; null for never. A branch asks nothing until it is whole. */
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

    // ---- what is asked

    /** Asks about the first facts that there is something to ask about. */
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

    /** A moment that is not now: a tick that has something to do asks for the next one. */
    private static Instant soon(MemoryDraft draft) {
        return draft.now().plus(LEAST_REST);
    }

    /** The number of the newest event that the store has. */
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
                if (facts.size() >= Backlog.MOST) {
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

    /** Asks the model, or what it wrote means. */
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

    /** What is asked is asked again later, and behind the others. */
    private static void putBack(MemoryDraft draft, Asking asking, Instant when) {
        FactExtraction.lost(draft, asking.callId());
        set(draft, backlog(draft).next(when).again(asking.fresh(), when));
    }

    // ---- what is answered

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
        Read read = said.length() > LONGEST_ANSWER
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

    /** A model that does not answer is asked again, and then later about other facts first; vectors are asked for until they come. */
    private static void failed(MemoryDraft draft, Asking asking) {
        if (asking.answer() == null && asking.failures() + 1 >= FactExtraction.MODEL_ATTEMPTS) {
            putBack(draft, asking, draft.now().plus(PAUSE));
        } else {
            set(
                    draft,
                    backlog(draft).asking(asking.failed(draft.now().plus(FactExtraction.backoff(asking.failures())))));
        }
    }

    /** An answer that the machine cannot use is none; its facts stay as they are. */
    static void giveUp(MemoryDraft draft, UUID callId) {
        if (backlog(draft).awaits(callId)) {
            FactExtraction.lost(draft, callId);
            set(draft, backlog(draft).next(soon(draft)));
        }
    }

    /** Something is erased: what is being asked may have it. */
    static void forget(MemoryDraft draft, boolean whole) {
        Asking asking = backlog(draft).asking();
        if (asking != null) {
            putBack(draft, asking, soon(draft));
        }
        if (whole) {
            set(draft, Backlog.NONE);
        }
    }

    // ---- what it means

    /** Goes on with what the model wrote, as long as all that it was shown is the same; else it is asked anew. */
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

package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.protocol.origin.Parent;
import dev.parley.domain.protocol.origin.ReplyAddress;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.ModelCall;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.session.TurnPhase.CallingModel;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Start and end of turns. */
final class TurnLifecycle {
    private TurnLifecycle() {}

    /** Starts queued turns until one of them stays active. */
    static void startNext(TurnDraft draft) {
        for (Optional<QueuedTurn> next = next(draft); next.isPresent(); next = next(draft)) {
            start(draft, next.get());
        }
    }

    /** The queued turn that can start now. */
    static Optional<QueuedTurn> next(TurnDraft draft) {
        SessionState state = draft.state();
        boolean free = state.active() == null && state.seeding() == null && state.reverting() == null;
        return free
                ? state.nextQueued()
                        .filter(turn -> turn.startsAt() == null || TurnMachine.isDue(turn.startsAt(), draft))
                : Optional.empty();
    }

    /** Delivers a posted message at once. It enters the context in its turn, as others may not interrupt the active one. */
    static void post(TurnDraft draft, UUID turnId) {
        QueuedTurn turn = draft.state().findQueued(turnId).orElseThrow();
        if (turn.replyTo() != null) {
            send(
                    draft,
                    turnId,
                    Reply.lastOf(turnId, Reply.Kind.FINAL),
                    turn.replyTo(),
                    Reply.Kind.FINAL,
                    Message.text(turn.content()),
                    files(turn.content()),
                    List.of());
        }
    }

    private static List<Block.File> files(List<Block> content) {
        return content.stream()
                .filter(Block.File.class::isInstance)
                .map(Block.File.class::cast)
                .toList();
    }

    /** A posted message has all of its answer. */
    private static void completePosted(TurnDraft draft) {
        QueuedTurn turn = draft.turn().turn();
        var end = new TurnCompleted(
                draft.turnMeta(), Message.text(turn.content()), FinishReason.STOP, Usage.NONE, null, null);
        publish(draft, turn, 0, emitEnd(draft, end));
    }

    /** A person has answered in the agent's place: the reply was delivered as theirs. */
    static void completeAnswered(TurnDraft draft, String reply) {
        ActiveTurn turn = draft.turn();
        Optional<BankRef> bank = MemorySteps.retain(draft, reply);
        var end = new TurnCompleted(
                draft.turnMeta(),
                reply,
                FinishReason.STOP,
                turn.usage(),
                turn.lastModel(),
                bank.map(BankRef::id).orElse(null),
                true);
        publish(draft, turn.turn(), turn.step(), emitEnd(draft, end));
    }

    private static void start(TurnDraft draft, QueuedTurn turn) {
        Agent agent = draft.agent(turn.agent(), "");
        Instant deadline = draft.now().plus(agent.limits().turnTimeout());
        boolean isPromptKnown = !turn.needsModel()
                || agent.prompt().isBlank()
                || Evolution.instructions(agent.prompt())
                        .equals(draft.state().open().instructed());
        draft.emit(new TurnStarted(
                draft.meta(turn.turnId()),
                agent.name(),
                agent.version(),
                deadline,
                isPromptKnown ? null : agent.prompt()));
        draft.effect(new TurnEffect.PublishDelta(startedDelta(draft, turn)));
        if (turn.posted()) {
            completePosted(draft);
            return;
        }
        if (turn.needsModel()) {
            Disclosures.loadInitial(draft);
        }
        ModelCalls.request(draft, 0);
    }

    private static TurnDelta startedDelta(TurnDraft draft, QueuedTurn turn) {
        return new TurnDelta(
                turn.turnId(),
                TurnDelta.Kind.STARTED,
                0,
                0,
                "",
                null,
                null,
                TurnState.RUNNING_MODEL,
                draft.state().open().user());
    }

    static void complete(TurnDraft draft, String text, List<Block.File> files, FinishReason finish) {
        endOpenWork(draft, "");
        ActiveTurn turn = draft.turn();
        String reply = finish == FinishReason.LENGTH && !text.isEmpty() ? text + "\n(cut)" : text;
        Optional<BankRef> bank = finish == FinishReason.CONTENT_FILTER // withheld content is not retained
                ? Optional.empty()
                : MemorySteps.retain(draft, reply);
        var end = new TurnCompleted(
                draft.turnMeta(),
                reply,
                finish,
                turn.usage(),
                turn.lastModel(),
                bank.map(BankRef::id).orElse(null));
        Outcome.Finished finished = emitEnd(draft, end);
        if (!turn.turn().isDelegate()) {
            deliver(draft, turn, Reply.Kind.FINAL, reply, files, Reply.Kind.FINAL.name());
        } else if (!files.isEmpty()) {
            deliver(draft, turn, Reply.Kind.MESSAGE, "", files, "files"); // the text goes to the delegating agent
        }
        publish(draft, turn.turn(), turn.step(), finished);
    }

    /** Ends the active turn with a reason that people can read; {@code detail} is for operators. */
    static void fail(TurnDraft draft, ErrorCategory category, String detail) {
        endOpenWork(draft, "error: the turn failed");
        ActiveTurn turn = draft.turn();
        String message = Failures.message(category, detail, turn.turnId());
        Outcome.Finished finished =
                emitEnd(draft, new TurnFailed(draft.turnMeta(), category, message, detail, turn.usage()));
        deliver(draft, turn, Reply.Kind.ERROR, message);
        publish(draft, turn.turn(), turn.step(), finished);
    }

    /** Cancels the active turn. The worker of a running model call may still return a partial answer. */
    static void cancel(TurnDraft draft, String reason) {
        ActiveTurn turn = draft.state().active();
        if (turn == null || turn.cancelling() != null) {
            return;
        }
        draft.emit(new CancelRequested(draft.turnMeta(), reason, draft.now().plus(TurnMachine.CANCEL_GRACE)));
        if (turn.phase() instanceof CallingModel(ModelCall call) && call.isRunning()) {
            draft.effect(new TurnEffect.CancelModel(call.callId()));
        } else {
            endAsCancelled(draft);
        }
    }

    /** Cancels the active turn, if there is one, immediately. */
    static void cancelNow(TurnDraft draft, String reason) {
        cancel(draft, reason);
        if (draft.state().active() != null) {
            endAsCancelled(draft);
        }
    }

    /** Ends the active turn as cancelled. */
    static void endAsCancelled(TurnDraft draft) {
        endOpenWork(draft, "error: the turn was cancelled");
        ActiveTurn turn = draft.turn();
        String reason = turn.cancelling() == null ? "" : turn.cancelling().reason();
        Outcome.Finished finished =
                emitEnd(draft, new TurnCancelled(draft.turnMeta(), reason, turn.said(), turn.usage()));
        deliver(draft, turn, Reply.Kind.CANCELLED, turn.said());
        publish(draft, turn.turn(), turn.step(), finished);
    }

    static void cancelQueued(TurnDraft draft, QueuedTurn queued, String reason) {
        GuardrailSteps.withhold(draft, queued);
        QueuedTurn turn = draft.state().turn(queued.turnId()).orElse(queued);
        publish(draft, turn, 0, emitEnd(draft, new TurnCancelled(draft.meta(turn.turnId()), reason, "", Usage.NONE)));
    }

    static void cancelAllQueued(TurnDraft draft, String reason) {
        draft.state().queue().forEach(turn -> cancelQueued(draft, turn, reason));
    }

    /**
     * Completes open calls and appends steered messages: the history has no call without a result, and loses no
     * message.
     */
    private static void endOpenWork(TurnDraft draft, String content) {
        ActiveTurn turn = draft.turn();
        if (turn.cancelling() == null && turn.phase() instanceof CallingModel(ModelCall call) && call.isRunning()) {
            draft.effect(new TurnEffect.CancelModel(call.callId()));
        }
        GuardrailSteps.endChecks(draft);
        ToolCalls.cancelAll(draft, content);
        ModelCalls.appendSteered(draft);
    }

    private static void deliver(TurnDraft draft, ActiveTurn turn, Reply.Kind kind, String text) {
        deliver(draft, turn, kind, text, List.of(), kind.name());
    }

    /** Address for files of this turn: its own reply address, or that of the root of its delegation chain. */
    static @Nullable ReplyAddress fileAddress(ActiveTurn turn) {
        Parent parent = turn.turn().parent();
        return parent == null || !parent.isAgent() ? turn.turn().replyTo() : parent.filesTo();
    }

    /**
     * Delivers a question with its choices.
     *
     * @param id the id of the reply
     */
    static void deliverQuestion(TurnDraft draft, UUID id, ReplyAddress to, String text, List<Choice> choices) {
        send(draft, draft.turn().turnId(), id, to, Reply.Kind.MESSAGE, text, List.of(), choices);
    }

    static void deliver(
            TurnDraft draft, ActiveTurn turn, Reply.Kind kind, String text, List<Block.File> files, String ref) {
        ReplyAddress to = files.isEmpty() ? turn.turn().replyTo() : fileAddress(turn);
        if (to != null) {
            send(draft, turn.turnId(), Ids.of("reply", turn.turnId(), ref), to, kind, text, files, List.of());
        }
    }

    /** @param turnId the id of the reply where it is of no turn */
    static void send(
            TurnDraft draft,
            UUID turnId,
            UUID id,
            ReplyAddress to,
            Reply.Kind kind,
            String text,
            List<Block.File> files,
            List<Choice> choices) {
        draft.effect(new TurnEffect.DeliverReply(new Reply(
                id,
                draft.state().open().host(),
                draft.state().key(),
                turnId,
                to,
                kind,
                text,
                draft.now(),
                files,
                choices)));
    }

    private static Outcome.Finished emitEnd(TurnDraft draft, TurnEvent event) {
        SessionState before = draft.state();
        draft.emit(event);
        return TurnEndings.outcomeOf(before, event).orElseThrow();
    }

    /** Sends the outcome to waiting instances, to subscribers, and to the delegating session. */
    private static void publish(TurnDraft draft, QueuedTurn turn, int step, Outcome.Finished finished) {
        TurnState state = finished.state();
        draft.effect(new TurnEffect.StoreOutcome(turn.turnId(), finished));
        draft.notifyWaiters(turn, finished);
        var kind = state == TurnState.FAILED ? TurnDelta.Kind.ERROR : TurnDelta.Kind.DONE;
        draft.effect(new TurnEffect.PublishDelta(
                new TurnDelta(turn.turnId(), kind, step, 0, finished.reply(), null, null, state)));
        Parent parent = turn.parent();
        if (parent != null) {
            draft.effect(new TurnEffect.SendResult(
                    parent.key(),
                    new CallResult.ChildFinished(parent.callId(), 1, turn.turnId(), state, finished.reply())));
        }
    }
}

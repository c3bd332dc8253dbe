package dev.parley.sessions.projection;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnState;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Folds events of a turn from acceptance to its end. */
final class TurnFold extends RowFold {
    /** Number of the message with the agent's instructions, where they are new to the session. */
    private static final int INSTRUCTIONS = -1;

    TurnFold(SessionBatch rows) {
        super(rows);
    }

    void accepted(Row.Session session, TurnAccepted e) {
        UUID turnId = Objects.requireNonNull(e.meta().turnId());
        if (rows.turn(e.meta().host(), turnId) != null) {
            throw new Rejected("turn " + turnId + " was already accepted");
        }
        var turn = within(session, e.meta(), new Row.Turn());
        turn.turnId = turnId;
        turn.seq = e.turnSeq();
        turn.origin = e.origin().code();
        turn.originRef = Texts.clip(e.originRef(), 512);
        turn.mode = e.mode().name().toLowerCase(Locale.ROOT);
        turn.agent = e.agent();
        turn.userId = Texts.clipped(e.user(), 256);
        turn.userMessage = Texts.clean(Message.text(e.content()));
        turn.state = TurnState.QUEUED.name();
        turn.createdTs = at(e.meta());
        rows.add(turn);
        session.nextTurnSeq = e.turnSeq() + 1;
        Row.Message message = question(session, turn, e);
        if (turn.userId != null) {
            turn.updateUser = turn.userId;
            message.updateUser = turn.userId;
        }
    }

    /** A retried question belongs to the turn that answers it last, and moves there. */
    private Row.Message question(Row.Session session, Row.Turn turn, TurnAccepted e) {
        Row.Message asked = e.retryOf() == null ? null : rows.takeQuestion(turn.hostId, e.retryOf());
        if (asked == null) {
            Row.Message message = message(session, turn, e.meta(), 0, Role.USER);
            parts(message, 0, e.content());
            return message;
        }
        asked.position = e.meta().seq();
        touch(asked, e.meta());
        add(turn, asked);
        return asked;
    }

    void extended(TurnExtended e) {
        Row.Turn turn = turn(e.meta());
        Row.Message message = message(turn, 0);
        String more = Texts.clean(Message.text(e.content()));
        turn.userMessage = turn.userMessage.isEmpty() ? more : turn.userMessage + "\n" + more;
        touch(turn, e.meta());
        touch(message, e.meta());
        parts(message, message.partCount, e.content());
    }

    /** Messages that join a running turn are shown once they are in the context, as changed by guardrails. */
    void checked(InputChecked e) {
        if (e.message() == 0 && e.content() != null) {
            reworded(e.meta(), e.content());
        }
    }

    void guarded(GuardrailApplied e) {
        Row.Turn turn = turn(e.meta());
        touch(turn, e.meta());
        turn.guardrails = Parts.guarded(turn.guardrails, e, at(e.meta()));
    }

    void reworded(EventMeta meta, List<Block> content) {
        Row.Turn turn = turn(meta);
        Row.Message message = message(turn, 0);
        touch(turn, meta);
        touch(message, meta);
        turn.userMessage = Texts.clean(Message.text(content));
        int before = message.partCount;
        parts(message, 0, content);
        for (int idx = message.partCount; idx < before; idx++) {
            made(message, Parts.of(message, idx, Block.text(""))); // there is less of it now
        }
    }

    void started(Row.Session session, TurnStarted e) {
        Row.Turn turn = turn(e.meta());
        touch(turn, e.meta());
        turn.state = TurnState.RUNNING_MODEL.name();
        turn.agent = e.agent();
        turn.agentVersion = Texts.clip(e.agentVersion(), 64);
        turn.startedTs = at(e.meta());
        turn.startPosition = e.meta().seq();
        session.activeTurnId = turn.turnId;
        if (e.instructions() != null) {
            var message = message(session, turn, e.meta(), INSTRUCTIONS, SYSTEM);
            parts(message, 0, List.of(Block.text(e.instructions())));
        }
    }

    void appended(Row.Session session, MessageAppended e) {
        Row.Turn turn = turn(e.meta());
        int index = inFlight(turn).isPresent() ? e.index() + 1 : e.index();
        if (rows.messages(turn).containsKey(index)) {
            throw new Rejected("message " + index + " of turn " + turn.turnId + " is there already");
        }
        touch(turn, e.meta());
        var message = message(session, turn, e.meta(), index, e.message().role());
        message.interrupted = e.message().interrupted();
        parts(message, 0, e.message().blocks());
    }

    void completed(Row.Session session, TurnCompleted e) {
        Row.Turn turn = turn(e.meta());
        session.bankId = e.bank() == null ? session.bankId : e.bank();
        end(session, turn, e.meta(), TurnState.COMPLETED, e.finish());
        turn.reply = Texts.clean(e.reply());
    }

    void failed(Row.Session session, TurnFailed e) {
        Row.Turn turn = turn(e.meta());
        end(session, turn, e.meta(), TurnState.FAILED, FinishReason.ERROR);
        error(turn, e.category().code(), e.message(), e.detail());
        rows.messages(turn).descendingMap().values().stream()
                .filter(message -> message.role.equals("assistant"))
                .findFirst()
                .ifPresent(last -> {
                    last.errorType = turn.errorType;
                    last.errorMessage = turn.errorMessage;
                    touch(last, e.meta());
                });
    }

    void cancelled(Row.Session session, TurnCancelled e) {
        Row.Turn turn = turn(e.meta());
        end(session, turn, e.meta(), TurnState.CANCELLED, FinishReason.CANCELLED);
        turn.reply = e.partial().isEmpty() ? null : Texts.clean(e.partial());
        error(turn, "cancelled", e.reason(), null);
    }

    private static void error(Row.Turn turn, String type, String message, @Nullable String detail) {
        turn.errorType = type;
        turn.errorMessage = Texts.clean(message);
        turn.errorDetail = detail == null ? null : Texts.clean(detail);
    }

    private void end(Row.Session session, Row.Turn turn, EventMeta meta, TurnState state, FinishReason finish) {
        touch(turn, meta);
        turn.state = state.name();
        turn.finishReason = code(finish);
        turn.completedTs = at(meta);
        turn.openTools = 0;
        turn.openApprovals = 0;
        turn.openChildren = 0;
        rows.messages(turn).values().stream()
                .filter(message -> message.completedTs == null)
                .forEach(message -> close(message, meta, finish));
        if (turn.turnId.equals(session.activeTurnId)) {
            session.activeTurnId = null;
        }
        String title = session.titleGiven ? "" : Texts.title(turn.userMessage);
        if (!title.isEmpty()) {
            session.title = title;
            session.titleGiven = true;
        }
        history(session, meta);
    }

    /** Completes all messages and tool calls of an ended turn. */
    private void close(Row.Message message, EventMeta meta, FinishReason finish) {
        touch(message, meta);
        message.completedTs = at(meta);
        message.openTools = 0;
        for (int idx = 0; idx < message.partCount; idx++) {
            Row.Part part = rows.part(message.hostId, Parts.id(message.messageId, idx));
            if (part != null && (Parts.PENDING.equals(part.toolStatus) || Parts.RUNNING.equals(part.toolStatus))) {
                Parts.drop(part, "the call was not carried out");
                touch(part, meta);
            }
        }
        if (!message.answered) {
            message.finishReason = code(finish == FinishReason.CANCELLED ? finish : FinishReason.ERROR);
            made(message, Parts.stepFinish(message, message.partCount, message.finishReason, null));
        }
    }
}

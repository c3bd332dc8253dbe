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

    void turnAccepted(Row.Session session, TurnAccepted e) {
        UUID turnId = Objects.requireNonNull(e.meta().turnId());
        if (rows.turn(e.meta().host(), turnId) != null) {
            throw new RejectedEventException("turn " + turnId + " was already accepted");
        }
        Row.Turn turn = newTurn(session, turnId, e);
        rows.add(turn);
        session.nextTurnSeq = e.turnSeq() + 1;
        Row.Message question = question(session, turn, e);
        if (turn.userId != null) {
            turn.updateUser = turn.userId;
            question.updateUser = turn.userId;
        }
    }

    private Row.Turn newTurn(Row.Session session, UUID turnId, TurnAccepted e) {
        var turn = initialise(session, e.meta(), new Row.Turn());
        turn.turnId = turnId;
        turn.seq = e.turnSeq();
        turn.origin = e.origin().code();
        turn.originRef = ColumnText.clip(e.originRef(), 512);
        turn.mode = e.mode().name().toLowerCase(Locale.ROOT);
        turn.agent = e.agent();
        turn.userId = ColumnText.clipNullable(e.user(), 256);
        turn.userMessage = e.posted() ? "" : ColumnText.clean(Message.text(e.content()));
        turn.state = TurnState.QUEUED.name();
        turn.createdTs = at(e.meta());
        return turn;
    }

    /**
     * The user message of a new turn, or what the assistant says in a posted one. A retry takes over the one of the turn
     * that it repeats.
     */
    private Row.Message question(Row.Session session, Row.Turn turn, TurnAccepted e) {
        Row.Message retried = e.retryOf() == null ? null : rows.takeQuestion(turn.hostId, e.retryOf());
        if (retried == null) {
            Row.Message question = addMessage(session, turn, e.meta(), 0, e.posted() ? Role.ASSISTANT : Role.USER);
            putParts(question, 0, e.content());
            return question;
        }
        retried.position = e.meta().seq();
        touch(retried, e.meta());
        addTo(turn, retried);
        return retried;
    }

    void turnExtended(TurnExtended e) {
        Row.Turn turn = openTurn(e.meta());
        Row.Message question = requireMessage(turn, 0);
        String addition = ColumnText.clean(Message.text(e.content()));
        turn.userMessage = turn.userMessage.isEmpty() ? addition : turn.userMessage + "\n" + addition;
        touch(turn, e.meta());
        touch(question, e.meta());
        putParts(question, question.partCount, e.content());
    }

    /**
     * Replaces the question by its version after the guardrails. Messages that join a running turn become rows only
     * when they enter the context.
     */
    void inputChecked(InputChecked e) {
        if (e.message() == 0 && e.content() != null) {
            replaceQuestion(e.meta(), e.content());
        }
    }

    void guardrailApplied(GuardrailApplied e) {
        Row.Turn turn = openTurn(e.meta());
        touch(turn, e.meta());
        turn.guardrails = PartMapping.addGuardrail(turn.guardrails, e, at(e.meta()));
    }

    void turnRevised(TurnRevised e) {
        replaceQuestion(e.meta(), e.content());
    }

    private void replaceQuestion(EventMeta meta, List<Block> content) {
        Row.Turn turn = openTurn(meta);
        Row.Message question = requireMessage(turn, 0);
        touch(turn, meta);
        touch(question, meta);
        turn.userMessage = ColumnText.clean(Message.text(content));
        int before = question.partCount;
        putParts(question, 0, content);
        for (int idx = question.partCount; idx < before; idx++) {
            putPart(question, PartMapping.of(question, idx, Block.text(""))); // blanks the rest of longer content
        }
    }

    void turnStarted(Row.Session session, TurnStarted e) {
        Row.Turn turn = openTurn(e.meta());
        touch(turn, e.meta());
        turn.state = TurnState.RUNNING_MODEL.name();
        turn.agent = e.agent();
        turn.agentVersion = ColumnText.clip(e.agentVersion(), 64);
        turn.startedTs = at(e.meta());
        turn.startPosition = e.meta().seq();
        session.activeTurnId = turn.turnId;
        if (e.instructions() != null) {
            var message = addMessage(session, turn, e.meta(), INSTRUCTIONS, SYSTEM);
            putParts(message, 0, List.of(Block.text(e.instructions())));
        }
    }

    void messageAppended(Row.Session session, MessageAppended e) {
        Row.Turn turn = openTurn(e.meta());
        int index = inFlight(turn).isPresent() ? e.index() + 1 : e.index();
        if (rows.messages(turn).containsKey(index)) {
            throw new RejectedEventException("message " + index + " of turn " + turn.turnId + " already exists");
        }
        touch(turn, e.meta());
        var message = addMessage(session, turn, e.meta(), index, e.message().role());
        message.interrupted = e.message().interrupted();
        putParts(message, 0, e.message().blocks());
    }

    void turnCompleted(Row.Session session, TurnCompleted e) {
        Row.Turn turn = openTurn(e.meta());
        session.bankId = e.bank() == null ? session.bankId : e.bank();
        end(session, turn, e.meta(), TurnState.COMPLETED, e.finish());
        turn.reply = ColumnText.clean(e.reply());
    }

    void turnFailed(Row.Session session, TurnFailed e) {
        Row.Turn turn = openTurn(e.meta());
        end(session, turn, e.meta(), TurnState.FAILED, FinishReason.ERROR);
        setError(turn, e.category().code(), e.message(), e.detail());
        rows.messages(turn).descendingMap().values().stream()
                .filter(message -> message.role.equals("assistant"))
                .findFirst()
                .ifPresent(last -> {
                    last.errorType = turn.errorType;
                    last.errorMessage = turn.errorMessage;
                    touch(last, e.meta());
                });
    }

    void turnCancelled(Row.Session session, TurnCancelled e) {
        Row.Turn turn = openTurn(e.meta());
        end(session, turn, e.meta(), TurnState.CANCELLED, FinishReason.CANCELLED);
        turn.reply = e.partial().isEmpty() ? null : ColumnText.clean(e.partial());
        setError(turn, "cancelled", e.reason(), null);
    }

    private static void setError(Row.Turn turn, String type, String message, @Nullable String detail) {
        turn.errorType = type;
        turn.errorMessage = ColumnText.clean(message);
        turn.errorDetail = detail == null ? null : ColumnText.clean(detail);
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
        deriveTitle(session, turn);
        markHistoryStale(session, meta);
    }

    private static void deriveTitle(Row.Session session, Row.Turn turn) {
        String title = session.titleGiven ? "" : ColumnText.title(turn.userMessage);
        if (!title.isEmpty()) {
            session.title = title;
            session.titleGiven = true;
        }
    }

    /** Completes all messages and tool calls of an ended turn. */
    private void close(Row.Message message, EventMeta meta, FinishReason finish) {
        touch(message, meta);
        message.completedTs = at(meta);
        message.openTools = 0;
        for (Row.Part part : rows.parts(message)) {
            if (PartMapping.PENDING.equals(part.toolStatus) || PartMapping.RUNNING.equals(part.toolStatus)) {
                PartMapping.abandonCall(part, "the call was not carried out");
                touch(part, meta);
            }
        }
        if (!message.answered) {
            message.finishReason = code(finish == FinishReason.CANCELLED ? finish : FinishReason.ERROR);
            putPart(message, PartMapping.stepFinish(message, message.partCount, message.finishReason, null));
        }
    }
}

package dev.parley.sessions.projection;

import dev.parley.domain.Sha256;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.protocol.origin.Payer;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Folds events of model calls: messages in flight, answers, failures, usage. */
final class ModelCallFold extends RowFold {
    ModelCallFold(SessionBatch rows) {
        super(rows);
    }

    /** Creates the row of the answer at the first attempt. */
    void modelRequested(Row.Session session, ModelRequested e) {
        Row.Turn turn = openTurn(e.meta());
        touch(turn, e.meta());
        turn.state = TurnState.RUNNING_MODEL.name();
        if (!e.recordings().isEmpty()) {
            return; // transcripts go into the message that has the recordings
        }
        Row.Message message = inFlight(turn).orElse(null);
        if (message == null) {
            message = addMessage(session, turn, e.meta(), turn.messageCount, Role.ASSISTANT);
            startStep(message, turn, e.step());
        }
        touch(message, e.meta());
        message.providerId = ColumnText.clip(e.provider(), 64);
        message.modelId = ColumnText.clip(e.model(), 126);
    }

    /** Adds transcripts, their tokens and their cost to the user message. */
    void transcribed(Row.Session session, Transcribed e) {
        Row.Turn turn = openTurn(e.meta());
        Row.Message question = requireMessage(turn, 0);
        touch(turn, e.meta());
        touch(question, e.meta());
        e.recordings().forEach(recording -> setTranscript(question, recording, e.meta()));
        turn.userMessage = ColumnText.clean(textOf(question));
        addUsage(session, turn, question, e.usage());
        var call = newModelCall(session, e.meta(), e.callId(), e.attempt(), e.step(), "transcript");
        call.turnId = turn.turnId;
        call.providerId = ColumnText.clip(e.provider(), 64);
        call.modelId = ColumnText.clip(e.model(), 126);
        call.finishReason = code(FinishReason.STOP);
        setUsage(call, e.usage());
        setRawResponse(call, e.raw());
    }

    private void setTranscript(Row.Message message, Block.File recording, EventMeta meta) {
        for (Row.Part part : rows.parts(message)) {
            if (PartMapping.isUntranscribed(part, recording)) {
                touch(part, meta);
                PartMapping.setTranscript(part, Objects.requireNonNull(recording.transcript()));
            }
        }
    }

    private String textOf(Row.Message message) {
        return Message.text(rows.parts(message).stream()
                .flatMap(part -> PartMapping.textBlock(part).stream())
                .toList());
    }

    private void startStep(Row.Message message, Row.Turn turn, int step) {
        message.answered = false;
        message.completedTs = null;
        message.agent = turn.agent;
        var question = rows.messages(turn).get(0);
        message.parentId = question == null ? null : question.messageId;
        putPart(message, PartMapping.stepStart(message, step));
    }

    void modelCalled(Row.Session session, ModelCalled e) {
        Row.Turn turn = openTurn(e.meta());
        Row.Message message = rows.messages(turn).get(e.index());
        if (message != null && message.answered) {
            throw new RejectedEventException(
                    "message " + e.index() + " of turn " + turn.turnId + " was already answered");
        }
        touch(turn, e.meta());
        if (message == null) {
            message = addMessage(session, turn, e.meta(), e.index(), Role.ASSISTANT);
            startStep(message, turn, e.step());
        }
        touch(message, e.meta());
        setAnswer(message, e);
        addUsage(session, turn, message, e.usage());
        turn.providerId = message.providerId;
        turn.modelId = message.modelId;
        session.providerId = message.providerId;
        session.modelId = message.modelId;
        addReplyCall(session, message, e);
    }

    private void setAnswer(Row.Message message, ModelCalled e) {
        message.answered = true;
        message.interrupted = e.interrupted();
        message.finishReason = code(e.finish());
        message.providerId = ColumnText.clip(e.provider(), 64);
        message.modelId = ColumnText.clip(e.model(), 126);
        putParts(message, 1, e.blocks());
        putPart(message, PartMapping.stepFinish(message, message.partCount, message.finishReason, e.usage()));
        message.openTools = Message.toolCalls(e.blocks()).size();
        message.completedTs = message.openTools == 0 ? at(e.meta()) : null;
    }

    private static void addUsage(Row.Session session, Row.Turn turn, Row.Message message, Usage usage) {
        BigDecimal cost = PartMapping.cost(usage);
        message.tokens.add(usage);
        turn.tokens.add(usage);
        session.tokens.add(usage);
        message.cost = cost;
        message.costKnown = cost != null;
        turn.cost = cost == null || turn.cost == null ? null : turn.cost.add(cost);
        if (cost == null) {
            session.unpricedCount++;
        } else {
            session.totalCost = session.totalCost.add(cost);
        }
    }

    private void addReplyCall(Row.Session session, Row.Message message, ModelCalled e) {
        var call = newModelCall(session, e.meta(), e.callId(), e.attempt(), e.step(), "reply");
        call.turnId = message.turnId;
        call.providerId = message.providerId;
        call.modelId = message.modelId;
        call.finishReason = code(e.finish());
        call.errorType = message.errorType;
        call.errorDetail = message.errorMessage;
        setUsage(call, e.usage());
        setPayer(call, e.payer());
        setRawResponse(call, e.raw());
    }

    private static void setPayer(Row.ModelCall call, @Nullable Payer payer) {
        if (payer != null) {
            call.payer = payer.owner().code();
            call.credentialId = payer.credential();
        }
    }

    private static void setRawResponse(Row.ModelCall call, @Nullable String raw) {
        if (raw != null) {
            call.responseRaw = ColumnText.clean(raw);
            call.responseSha256 = Sha256.of(raw);
        }
    }

    /** Records a failed attempt; the message in flight stays open for the next one. */
    void modelCallFailed(ModelCallFailed e) {
        Row.Turn turn = openTurn(e.meta());
        Row.Message message = inFlight(turn).orElse(null);
        touch(turn, e.meta());
        if (message != null) {
            touch(message, e.meta());
        }
        String purpose = e.purpose().name().toLowerCase(Locale.ROOT);
        var call = newModelCall(turn, e.meta(), e.callId(), e.attempt(), e.step(), purpose);
        call.turnId = turn.turnId;
        call.providerId = message == null ? null : message.providerId;
        call.modelId = message == null ? null : message.modelId;
        call.finishReason = code(FinishReason.ERROR);
        call.errorType = e.category().code();
        call.errorDetail = ColumnText.clean(e.detail());
    }
}

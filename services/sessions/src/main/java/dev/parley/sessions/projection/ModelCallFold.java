package dev.parley.sessions.projection;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Payer;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.access.Token;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Folds events of model calls: messages in flight, answers, failures, usage. */
final class ModelCallFold extends RowFold {
    ModelCallFold(SessionBatch rows) {
        super(rows);
    }

    /** The row of the answer exists from the first attempt on. */
    void requested(Row.Session session, ModelRequested e) {
        Row.Turn turn = turn(e.meta());
        touch(turn, e.meta());
        turn.state = TurnState.RUNNING_MODEL.name();
        if (!e.recordings().isEmpty()) {
            return; // what comes back stands in the message that they came with
        }
        Row.Message message = inFlight(turn).orElse(null);
        if (message == null) {
            message = message(session, turn, e.meta(), turn.messageCount, Role.ASSISTANT);
            open(message, turn, e.step());
        }
        touch(message, e.meta());
        message.providerId = Texts.clip(e.provider(), 64);
        message.modelId = Texts.clip(e.model(), 126);
    }

    /** A transcript belongs to the user message; so do its tokens and cost. */
    void transcribed(Row.Session session, Transcribed e) {
        Row.Turn turn = turn(e.meta());
        Row.Message message = message(turn, 0);
        touch(turn, e.meta());
        touch(message, e.meta());
        e.recordings().forEach(recording -> transcribe(message, recording, e.meta()));
        turn.userMessage = Texts.clean(words(message));
        used(session, turn, message, e.usage());
        var call = modelCall(session, e.meta(), e.callId(), e.attempt(), e.step(), "transcript");
        call.turnId = turn.turnId;
        call.providerId = Texts.clip(e.provider(), 64);
        call.modelId = Texts.clip(e.model(), 126);
        call.finishReason = code(FinishReason.STOP);
        used(call, e.usage());
        response(call, e.raw());
    }

    private void transcribe(Row.Message message, Block.File recording, EventMeta meta) {
        for (int idx = 0; idx < message.partCount; idx++) {
            Row.Part part = rows.part(message.hostId, Parts.id(message.messageId, idx));
            if (part != null && Parts.isUntranscribed(part, recording)) {
                touch(part, meta);
                Parts.transcribe(part, Objects.requireNonNull(recording.transcript()));
            }
        }
    }

    private String words(Row.Message message) {
        var blocks = new ArrayList<Block>();
        for (int idx = 0; idx < message.partCount; idx++) {
            Row.Part part = rows.part(message.hostId, Parts.id(message.messageId, idx));
            if (part != null) {
                Parts.said(part).ifPresent(blocks::add);
            }
        }
        return Message.text(blocks);
    }

    private void open(Row.Message message, Row.Turn turn, int step) {
        message.answered = false;
        message.completedTs = null;
        message.agent = turn.agent;
        var asking = rows.messages(turn).get(0);
        message.parentId = asking == null ? null : asking.messageId;
        made(message, Parts.stepStart(message, step));
    }

    void answered(Row.Session session, ModelCalled e) {
        Row.Turn turn = turn(e.meta());
        Row.Message message = rows.messages(turn).get(e.index());
        if (message != null && message.answered) {
            throw new Rejected("message " + e.index() + " of turn " + turn.turnId + " was already answered");
        }
        touch(turn, e.meta());
        if (message == null) {
            message = message(session, turn, e.meta(), e.index(), Role.ASSISTANT);
            open(message, turn, e.step());
        }
        touch(message, e.meta());
        answer(message, e);
        used(session, turn, message, e.usage());
        turn.providerId = message.providerId;
        turn.modelId = message.modelId;
        session.providerId = message.providerId;
        session.modelId = message.modelId;
        response(session, message, e);
    }

    private void answer(Row.Message message, ModelCalled e) {
        message.answered = true;
        message.interrupted = e.interrupted();
        message.finishReason = code(e.finish());
        message.providerId = Texts.clip(e.provider(), 64);
        message.modelId = Texts.clip(e.model(), 126);
        parts(message, 1, e.blocks());
        made(message, Parts.stepFinish(message, message.partCount, message.finishReason, e.usage()));
        message.openTools = Message.toolCalls(e.blocks()).size();
        message.completedTs = message.openTools == 0 ? at(e.meta()) : null;
    }

    private static void used(Row.Session session, Row.Turn turn, Row.Message message, Usage usage) {
        BigDecimal cost = Parts.cost(usage);
        add(message.tokens, usage);
        add(turn.tokens, usage);
        add(session.tokens, usage);
        message.cost = cost;
        message.costKnown = cost != null;
        turn.cost = cost == null || turn.cost == null ? null : turn.cost.add(cost);
        if (cost == null) {
            session.unpricedCount++;
        } else {
            session.totalCost = session.totalCost.add(cost);
        }
    }

    private static void add(Row.Tokens tokens, Usage usage) {
        tokens.input += usage.input();
        tokens.output += usage.output();
        tokens.reasoning += usage.reasoning();
        tokens.cacheRead += usage.cacheRead();
        tokens.cacheWrite += usage.cacheWrite();
    }

    private void response(Row.Session session, Row.Message message, ModelCalled e) {
        var call = modelCall(session, e.meta(), e.callId(), e.attempt(), e.step(), "reply");
        call.turnId = message.turnId;
        call.providerId = message.providerId;
        call.modelId = message.modelId;
        call.finishReason = code(e.finish());
        call.errorType = message.errorType;
        call.errorDetail = message.errorMessage;
        used(call, e.usage());
        paid(call, e.payer());
        response(call, e.raw());
    }

    private static void paid(Row.ModelCall call, @Nullable Payer payer) {
        if (payer != null) {
            call.payer = payer.owner().code();
            call.credentialId = payer.credential();
        }
    }

    private static void response(Row.ModelCall call, @Nullable String raw) {
        if (raw != null) {
            call.responseRaw = Texts.clean(raw);
            call.responseSha256 = Token.hash(raw);
        }
    }

    /** The message keeps the error until an answer, or part of one, replaces it. */
    void callFailed(ModelCallFailed e) {
        Row.Turn turn = turn(e.meta());
        Row.Message message = inFlight(turn).orElse(null);
        touch(turn, e.meta());
        if (message != null) {
            touch(message, e.meta());
        }
        String purpose = e.purpose().name().toLowerCase(Locale.ROOT);
        var call = modelCall(turn, e.meta(), e.callId(), e.attempt(), e.step(), purpose);
        call.turnId = turn.turnId;
        call.providerId = message == null ? null : message.providerId;
        call.modelId = message == null ? null : message.modelId;
        call.finishReason = code(FinishReason.ERROR);
        call.errorType = e.category().code();
        call.errorDetail = Texts.clean(e.detail());
    }
}

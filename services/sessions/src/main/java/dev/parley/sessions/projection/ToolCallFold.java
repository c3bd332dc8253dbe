package dev.parley.sessions.projection;

import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnState;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/** Folds events of tool calls: permissions, approvals, results. */
final class ToolCallFold extends RowFold {
    private static final String ASKED = "asked";

    ToolCallFold(SessionBatch rows) {
        super(rows);
    }

    void toolRequested(ToolRequested e) {
        Row.Turn turn = turn(e.meta());
        Row.Message message = message(turn, e.message());
        Row.Part part = part(message, e.part());
        Row.ToolCall call = rows.toolCall(turn.hostId, e.callId());
        if (call == null) {
            call = newCall(turn, part, e);
        }
        touch(call, e.meta());
        call.attempt = e.attempt();
        touch(part, e.meta());
        part.toolStatus = Parts.RUNNING;
        touch(turn, e.meta());
        turn.state = waiting(turn);
    }

    private Row.ToolCall newCall(Row.Turn turn, Row.Part part, ToolRequested e) {
        var call = within(turn, e.meta(), new Row.ToolCall());
        call.callId = e.callId();
        call.turnId = turn.turnId;
        call.partId = part.partId;
        call.step = e.step();
        call.idx = e.index();
        call.toolName = Texts.clip(e.name(), 126);
        call.childKey = e.child() == null ? null : e.child().toString();
        call.status = Parts.RUNNING;
        call.createdTs = at(e.meta());
        rows.add(call);
        if (call.childKey == null) {
            turn.openTools++;
        } else {
            turn.openChildren++;
        }
        return call;
    }

    void permissionDecided(PermissionDecided e) {
        Row.ToolCall call = running(turn(e.meta()), e.callId());
        touch(call, e.meta());
        call.subject = e.value().isEmpty() ? null : Texts.clean(e.value());
        call.permission = e.action().code();
        call.ruleId = e.rule();
    }

    void approvalRequested(ApprovalRequested e) {
        Row.Turn turn = turn(e.meta());
        Row.ToolCall call = running(turn, e.callId());
        touch(call, e.meta());
        call.approvalId = e.approvalId();
        call.approval = ASKED;
        call.approvalReason = e.reason() == null ? null : Texts.clean(e.reason());
        call.approvalUntil = e.expiresAt().truncatedTo(ChronoUnit.MICROS);
        touch(turn, e.meta());
        turn.openApprovals++;
        turn.state = waiting(turn);
    }

    void approvalDecided(ApprovalDecided e) {
        Row.Turn turn = turn(e.meta());
        Row.ToolCall call = running(turn, e.callId());
        touch(call, e.meta());
        call.approvalUser = Texts.clipped(e.by(), 256);
        touch(turn, e.meta());
        answered(turn, call, e.answer().code());
        turn.state = waiting(turn);
    }

    /** Closes the approval request, if it is open. */
    private static void answered(Row.Turn turn, Row.ToolCall call, String answer) {
        if (ASKED.equals(call.approval)) {
            call.approval = answer;
            turn.openApprovals--;
        }
    }

    private Row.ToolCall running(Row.Turn turn, UUID callId) {
        Row.ToolCall call = rows.toolCall(turn.hostId, callId);
        if (call == null || !call.status.equals(Parts.RUNNING)) {
            throw new Rejected("tool call " + callId + " is not running");
        }
        return call;
    }

    void toolCalled(ToolCalled e) {
        Row.Turn turn = turn(e.meta());
        Row.Message message = message(turn, e.message());
        Row.Part part = part(message, e.part());
        Row.ToolCall call = running(turn, e.callId());
        boolean isError = e.status() != ToolStatus.COMPLETED;
        answered(turn, call, "withdrawn");
        touch(part, e.meta());
        Parts.answer(part, e.content(), isError, e.files(), e.patches());
        touch(call, e.meta());
        call.status = isError ? Parts.ERROR : Parts.COMPLETED;
        call.unknown = e.status() == ToolStatus.UNKNOWN;
        call.completedTs = at(e.meta());
        touch(message, e.meta());
        message.openTools--;
        message.completedTs = message.openTools == 0 ? at(e.meta()) : null;
        touch(turn, e.meta());
        if (call.childKey == null) {
            turn.openTools--;
        } else {
            turn.openChildren--;
        }
        turn.state = waiting(turn);
    }

    private static String waiting(Row.Turn turn) {
        TurnState state = turn.openApprovals > 0
                ? TurnState.WAITING_APPROVAL
                : turn.openTools > 0
                        ? TurnState.WAITING_TOOL
                        : turn.openChildren > 0 ? TurnState.WAITING_CHILD : TurnState.RUNNING_MODEL;
        return state.name();
    }
}

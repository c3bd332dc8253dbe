package dev.parley.sessions.projection;

import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnState;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/** Folds events of tool calls: permissions, approvals, results. */
final class ToolCallFold extends RowFold {
    private static final String OPEN = "asked";

    ToolCallFold(SessionBatch rows) {
        super(rows);
    }

    void toolRequested(ToolRequested e) {
        Row.Turn turn = openTurn(e.meta());
        Row.Message message = requireMessage(turn, e.message());
        Row.Part part = requireToolPart(message, e.part());
        Row.ToolCall call = rows.toolCall(turn.hostId, e.callId());
        if (call == null) {
            call = addCall(turn, part, e);
        }
        touch(call, e.meta());
        call.attempt = e.attempt();
        touch(part, e.meta());
        part.toolStatus = PartMapping.RUNNING;
        touch(turn, e.meta());
        turn.state = state(turn);
    }

    private Row.ToolCall addCall(Row.Turn turn, Row.Part part, ToolRequested e) {
        var call = initialise(turn, e.meta(), new Row.ToolCall());
        call.callId = e.callId();
        call.turnId = turn.turnId;
        call.partId = part.partId;
        call.step = e.step();
        call.idx = e.index();
        call.toolName = ColumnText.clip(e.name(), 126);
        call.childKey = e.child() == null ? null : e.child().toString();
        call.status = PartMapping.RUNNING;
        call.createdTs = at(e.meta());
        rows.add(call);
        countOpen(turn, call, 1);
        return call;
    }

    private static void countOpen(Row.Turn turn, Row.ToolCall call, int change) {
        if (call.childKey == null) {
            turn.openTools += change;
        } else {
            turn.openChildren += change;
        }
    }

    void permissionDecided(PermissionDecided e) {
        Row.ToolCall call = requireRunning(openTurn(e.meta()), e.callId());
        touch(call, e.meta());
        call.subject = e.value().isEmpty() ? null : ColumnText.clean(e.value());
        call.permission = e.action().code();
        call.ruleId = e.rule();
    }

    void approvalRequested(ApprovalRequested e) {
        Row.Turn turn = openTurn(e.meta());
        Row.ToolCall call = requireRunning(turn, e.callId());
        touch(call, e.meta());
        call.approvalId = e.approvalId();
        call.approval = OPEN;
        call.approvalReason = e.reason() == null ? null : ColumnText.clean(e.reason());
        call.approvalUntil = e.expiresAt().truncatedTo(ChronoUnit.MICROS);
        touch(turn, e.meta());
        turn.openApprovals++;
        turn.state = state(turn);
    }

    void approvalDecided(ApprovalDecided e) {
        Row.Turn turn = openTurn(e.meta());
        Row.ToolCall call = requireRunning(turn, e.callId());
        touch(call, e.meta());
        call.approvalUser = ColumnText.clipNullable(e.by(), 256);
        touch(turn, e.meta());
        closeApproval(turn, call, e.answer().code());
        turn.state = state(turn);
    }

    /** Closes the approval request, if it is open. */
    private static void closeApproval(Row.Turn turn, Row.ToolCall call, String answer) {
        if (OPEN.equals(call.approval)) {
            call.approval = answer;
            turn.openApprovals--;
        }
    }

    private Row.ToolCall requireRunning(Row.Turn turn, UUID callId) {
        Row.ToolCall call = rows.toolCall(turn.hostId, callId);
        if (call == null || !call.status.equals(PartMapping.RUNNING)) {
            throw new RejectedEventException("tool call " + callId + " is not running");
        }
        return call;
    }

    void toolCalled(ToolCalled e) {
        Row.Turn turn = openTurn(e.meta());
        Row.Message message = requireMessage(turn, e.message());
        Row.Part part = requireToolPart(message, e.part());
        Row.ToolCall call = requireRunning(turn, e.callId());
        boolean isError = e.status() != ToolStatus.COMPLETED;
        closeApproval(turn, call, "withdrawn");
        touch(part, e.meta());
        PartMapping.setResult(part, e.content(), isError, e.files(), e.patches());
        touch(call, e.meta());
        call.status = isError ? PartMapping.ERROR : PartMapping.COMPLETED;
        call.unknown = e.status() == ToolStatus.UNKNOWN;
        call.completedTs = at(e.meta());
        touch(message, e.meta());
        message.openTools--;
        message.completedTs = message.openTools == 0 ? at(e.meta()) : null;
        touch(turn, e.meta());
        countOpen(turn, call, -1);
        turn.state = state(turn);
    }

    private static String state(Row.Turn turn) {
        TurnState state = turn.openApprovals > 0
                ? TurnState.WAITING_APPROVAL
                : turn.openTools > 0
                        ? TurnState.WAITING_TOOL
                        : turn.openChildren > 0 ? TurnState.WAITING_CHILD : TurnState.RUNNING_MODEL;
        return state.name();
    }
}

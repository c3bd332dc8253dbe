package dev.parley.workflows.process;

import dev.parley.domain.RecordKey;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.workflow.ParentCall;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.domain.workflow.WorkflowCommand;
import java.util.UUID;

/** An action that follows a decision once the new state is stored. */
public sealed interface Reaction {
    record RequestWork(WorkRequest request) implements Reaction {}

    record CancelWork(UUID callId) implements Reaction {}

    /** Sends a command to another process or an event router. */
    record SendCommand(WorkflowCommand command) implements Reaction {}

    /** Cancels the turn of a called agent. */
    record CancelTurn(RecordKey session, TurnCommand.CancelTurn command) implements Reaction {}

    /** Sends an outcome to its waiting client. */
    record Reply(int partition, Outcome outcome) implements Reaction {}

    /** Remembers the outcome of a command to answer its repetitions. */
    record RememberOutcome(UUID commandId, Outcome outcome) implements Reaction {}

    /** Reports the result to the parent process. */
    record ReportResult(ParentCall parent, CallResult result) implements Reaction {}

    /** Writes an audit entry. */
    record WriteAudit(AuditEntry entry) implements Reaction {}

    /** Removes an ended process from the state store; its tables remain. */
    record RemoveProcess() implements Reaction {}
}

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
    /** A worker is asked. */
    record Ask(WorkRequest request) implements Reaction {}

    /** A worker need not answer any more. */
    record Stop(UUID callId) implements Reaction {}

    /** Another process, or a router of events, is told something. */
    record Give(WorkflowCommand command) implements Reaction {}

    /** The turn of an agent ends, which the process has asked for. */
    record CancelTurn(RecordKey session, TurnCommand.CancelTurn command) implements Reaction {}

    /** Whoever waits for an outcome is told. */
    record Tell(int partition, Outcome outcome) implements Reaction {}

    /** The outcome of a command is kept, for it may come again. */
    record Remember(UUID commandId, Outcome outcome) implements Reaction {}

    /** The process that waits for this one has its answer. */
    record Report(ParentCall to, CallResult result) implements Reaction {}

    /** Something is written down for whoever audits. */
    record Audit(AuditEntry entry) implements Reaction {}

    /** Nothing of the process is kept any more but its tables: it has ended long ago. */
    record Forget() implements Reaction {}
}

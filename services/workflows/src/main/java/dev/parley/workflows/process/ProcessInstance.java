package dev.parley.workflows.process;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import dev.parley.domain.workflow.HumanTask;
import dev.parley.domain.workflow.ParentCall;
import dev.parley.domain.workflow.StoredProcess;
import dev.parley.domain.workflow.StoredProcess.ProcessWaiter;
import dev.parley.domain.workflow.StoredProcess.Subscription;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.domain.workflow.WorkflowCommand.StartProcess;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.ProcessState;
import dev.parley.workflows.engine.StateJson;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A {@link StoredProcess} with its state and definition as objects.
 *
 * @param digest of the definition's YAML
 * @param business business keys, an object
 * @param overdue whether the missed deadline has been reported
 */
@RecordBuilder
public record ProcessInstance(
        ProcessRef process,
        UUID definitionId,
        String digest,
        Workflow workflow,
        ProcessState state,
        String instanceId,
        Json business,
        @Nullable String user,
        int depth,
        @Nullable ParentCall parent,
        @Nullable UUID origin,
        @Nullable RecordKey schedule,
        long lastSeq,
        @Nullable Instant due,
        List<WorkRequest> calls,
        List<HumanTask> tasks,
        List<ProcessWaiter> waiters,
        List<Subscription> subscriptions,
        boolean overdue)
        implements ProcessInstanceBuilder.With {

    static ProcessInstance start(StartProcess command, Workflow workflow, String digest, ProcessState state) {
        return new ProcessInstance(
                command.process(),
                command.definitionId(),
                digest,
                workflow,
                state,
                command.instanceId(),
                JsonText.read(command.business()),
                command.meta().user(),
                command.parent() == null ? 0 : command.parent().depth(),
                command.parent(),
                command.origin(),
                command.schedule(),
                0,
                null,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                false);
    }

    /** @param workflow the definition of the stored process */
    public static ProcessInstance of(StoredProcess stored, Workflow workflow) {
        return new ProcessInstance(
                stored.process(),
                stored.definitionId(),
                stored.definition(),
                workflow,
                StateJson.read(stored.state()),
                stored.instanceId(),
                JsonText.read(stored.business()),
                stored.user(),
                stored.depth(),
                stored.parent(),
                stored.origin(),
                stored.schedule(),
                stored.lastSeq(),
                stored.due(),
                stored.calls(),
                stored.tasks(),
                stored.waiters(),
                stored.subscriptions(),
                stored.overdue());
    }

    /** The record for the state store. */
    public StoredProcess toStored() {
        return new StoredProcess(
                process,
                definitionId,
                digest,
                instanceId,
                business.toString(),
                StateJson.write(state),
                user,
                depth,
                parent,
                origin,
                schedule,
                lastSeq,
                due,
                calls,
                tasks,
                waiters,
                subscriptions,
                overdue);
    }

    /** Its deadline, or null. */
    @Nullable
    Instant deadline() {
        return deadline(business, state);
    }

    static @Nullable Instant deadline(Json business, ProcessState state) {
        return business.get(BusinessKeys.DEADLINE)
                .text()
                .flatMap(BusinessKeys::time)
                .orElse(state.deadline());
    }
}

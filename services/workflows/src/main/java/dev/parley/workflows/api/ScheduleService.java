package dev.parley.workflows.api;

import dev.parley.domain.RecordKey;
import dev.parley.domain.workflow.WorkflowCommand.RemoveSchedule;
import dev.parley.domain.workflow.WorkflowCommand.SetSchedule;
import dev.parley.domain.workflow.WorkflowSchedule;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.Caller;
import dev.parley.workflows.catalogue.DefinitionRow;
import dev.parley.workflows.catalogue.WorkflowCatalogue;
import dev.parley.workflows.catalogue.WorkflowCatalogue.Scope;
import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.process.ScheduleMachine;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Keeps the schedules of workflows: only the newest version of a workflow is scheduled. */
@Singleton
@Requires(property = "parley.role.workflows", value = "true")
final class ScheduleService {
    private final WorkflowCatalogue definitions;
    private final ProcessCommands commands;

    ScheduleService(WorkflowCatalogue definitions, ProcessCommands commands) {
        this.definitions = definitions;
        this.commands = commands;
    }

    /** Updates the schedule after a change of a workflow's versions; idempotent. */
    void update(Scope scope, String namespace, String name, Caller caller) {
        String project = scope.project() == null
                ? AccessDirectory.defaultProject(scope.host())
                : RecordKey.projectKey(scope.project());
        RecordKey key = WorkflowSchedule.key(project, namespace, name);
        Optional<DefinitionRow> scheduled = definitions
                .newest(scope, namespace, name)
                .filter(row -> ScheduleMachine.isScheduled(DefinitionReader.read(row.definition())));
        commands.send(
                caller,
                meta -> scheduled.isPresent()
                        ? new SetSchedule(
                                meta,
                                key,
                                scheduled.get().wfDefId(),
                                scheduled.get().definition())
                        : new RemoveSchedule(meta, key));
    }
}

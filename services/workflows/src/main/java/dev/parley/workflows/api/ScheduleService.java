package dev.parley.workflows.api;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.domain.workflow.WorkflowCommand.RemoveSchedule;
import dev.parley.domain.workflow.WorkflowCommand.SetSchedule;
import dev.parley.domain.workflow.WorkflowSchedule;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.ApiException;
import dev.parley.workflows.catalogue.DefinitionRow;
import dev.parley.workflows.catalogue.WorkflowCatalogue;
import dev.parley.workflows.catalogue.WorkflowCatalogue.Newest;
import dev.parley.workflows.catalogue.WorkflowCatalogue.Scope;
import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.process.ScheduleMachine;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the schedules of workflows: only the newest version of a workflow is scheduled, in the name of its publisher. A
 * command carries the revision that the newest version was read with, and a schedule ignores lower ones. So commands
 * may be sent by anyone, in any order and repeatedly.
 */
@Singleton
final class ScheduleService {
    private final WorkflowCatalogue definitions;
    private final ProcessCommands commands;

    ScheduleService(WorkflowCatalogue definitions, ProcessCommands commands) {
        this.definitions = definitions;
        this.commands = commands;
    }

    /**
     * Updates the schedule after a change of a workflow's versions. {@link ScheduleResender} repeats it while the
     * schedule does not answer; a refusal is final.
     */
    void update(Scope scope, String namespace, String name) {
        Newest newest = definitions.newest(scope, namespace, name);
        String project = scope.project() == null
                ? AccessDirectory.defaultProject(scope.host())
                : RecordKey.projectKey(scope.project());
        RecordKey key = WorkflowSchedule.key(project, namespace, name);
        try {
            commands.send(scope.host(), publisher(newest), meta -> command(meta, key, newest));
        } catch (ApiException e) {
            if (e.status() != HttpStatus.SERVICE_UNAVAILABLE) {
                definitions.confirm(scope, namespace, name, newest.revision());
            }
            throw e;
        }
        definitions.confirm(scope, namespace, name, newest.revision());
    }

    /** The user in whose name the schedule starts processes; null if there is no version. */
    static @Nullable String publisher(Newest newest) {
        DefinitionRow row = newest.row();
        return row == null ? null : row.updatedBy();
    }

    static WorkflowCommand command(CommandMeta meta, RecordKey key, Newest newest) {
        DefinitionRow row = newest.row();
        return row != null && ScheduleMachine.isScheduled(DefinitionReader.read(row.definition()))
                ? new SetSchedule(meta, key, row.wfDefId(), row.definition(), newest.revision())
                : new RemoveSchedule(meta, key, newest.revision());
    }
}

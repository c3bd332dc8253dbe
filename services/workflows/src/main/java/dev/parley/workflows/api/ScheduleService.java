package dev.parley.workflows.api;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.workflow.WorkflowCommand;
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
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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

    /**
     * Updates the schedule after a change of a workflow's versions; idempotent. Of concurrent changes, whoever sends the
     * last command sees the others' versions afterwards, and sends another one if it was outdated.
     */
    void update(Scope scope, String namespace, String name, Caller caller) {
        DefinitionRow sent;
        DefinitionRow newest = definitions.newest(scope, namespace, name).orElse(null);
        do {
            sent = newest;
            send(scope, namespace, name, sent, caller);
            newest = definitions.newest(scope, namespace, name).orElse(null);
        } while (!Objects.equals(id(sent), id(newest)));
    }

    private static @Nullable UUID id(@Nullable DefinitionRow row) {
        return row == null ? null : row.wfDefId();
    }

    /** @param newest the newest version, or null if there is none */
    private void send(Scope scope, String namespace, String name, @Nullable DefinitionRow newest, Caller caller) {
        String project = scope.project() == null
                ? AccessDirectory.defaultProject(scope.host())
                : RecordKey.projectKey(scope.project());
        RecordKey key = WorkflowSchedule.key(project, namespace, name);
        commands.send(caller, meta -> command(meta, key, newest));
    }

    private static WorkflowCommand command(CommandMeta meta, RecordKey key, @Nullable DefinitionRow newest) {
        return newest != null && ScheduleMachine.isScheduled(DefinitionReader.read(newest.definition()))
                ? new SetSchedule(meta, key, newest.wfDefId(), newest.definition())
                : new RemoveSchedule(meta, key);
    }
}

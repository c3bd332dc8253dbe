package dev.parley.workflows.erasure;

import dev.parley.domain.Ids;
import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.domain.workflow.WorkflowCommand.EraseProcess;
import dev.parley.domain.workflow.WorkflowCommand.RemoveSchedule;
import dev.parley.domain.workflow.WorkflowSchedule;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import dev.parley.workflows.WorkflowClient;
import dev.parley.workflows.WorkflowClient.UnsentException;
import dev.parley.workflows.catalogue.DefinitionRows;
import dev.parley.workflows.catalogue.DefinitionRows.Name;
import dev.parley.workflows.erasure.ErasedProcessRows.Row;
import dev.parley.workflows.view.ViewFreshness;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Supplier;

/** Erases a project's processes and definitions from topics, state store and tables. */
@Singleton
public final class ErasedProcesses {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final WorkflowClient client;
    private final Database database;
    private final ErasedProcessRows processes;
    private final DefinitionRows definitions;
    private final ViewFreshness freshness;

    ErasedProcesses(
            WorkflowClient client,
            Database database,
            ErasedProcessRows processes,
            DefinitionRows definitions,
            ViewFreshness freshness) {
        this.client = client;
        this.database = database;
        this.processes = processes;
        this.definitions = definitions;
        this.freshness = freshness;
    }

    /**
     * Erases one batch of a project.
     *
     * @return the number of deleted definitions at the end; empty while there is more to erase
     */
    public OptionalLong ofProject(Project project) throws InterruptedException {
        freshness.await();
        if (!removeSchedules(project)) {
            return OptionalLong.empty();
        }
        List<Row> rows = in(project, () -> processes.batch(project.host(), project.project()));
        if (!rows.isEmpty()) {
            erase(project, rows);
            return OptionalLong.empty(); // there may be more
        }
        return OptionalLong.of(in(project, () -> definitions.deleteAll(project.host(), project.project())));
    }

    /** Removes the schedules of all workflows; returns whether all are removed. */
    private boolean removeSchedules(Project project) throws InterruptedException {
        for (Name name : in(project, () -> definitions.names(project.host(), project.project()))) {
            RecordKey key = WorkflowSchedule.key(project.projectKey(), name.namespace(), name.name());
            UUID id = Ids.of("erase schedule", key, String.valueOf(project.erasure()));
            if (!isDone(new RemoveSchedule(client.meta(id, project.host(), null), key, Long.MAX_VALUE))) {
                return false;
            }
        }
        return true;
    }

    private void erase(Project project, List<Row> rows) throws InterruptedException {
        for (Row row : rows) {
            var ref = new ProcessRef(project.host(), project.projectKey(), row.processId());
            UUID id = Ids.of("erase process", row.processId(), String.valueOf(project.erasure()));
            if (!isDone(new EraseProcess(client.meta(id, project.host(), null), ref, row.aggregateVersion()))) {
                return;
            }
        }
        freshness.await();
        List<UUID> ids = rows.stream().map(Row::processId).toList();
        database.in(Tenant.of(project.host()), () -> processes.delete(project.host(), project.project(), ids));
    }

    private <T> T in(Project project, Supplier<T> work) {
        return database.in(Tenant.of(project.host()), work);
    }

    private boolean isDone(WorkflowCommand command) throws InterruptedException {
        try (Ticket ticket = client.send(command, TIMEOUT)) {
            Optional<Outcome> outcome = client.outcome(ticket, TIMEOUT);
            return outcome.isPresent() && !(outcome.get() instanceof Outcome.Refused);
        } catch (UnsentException e) {
            return false;
        }
    }
}

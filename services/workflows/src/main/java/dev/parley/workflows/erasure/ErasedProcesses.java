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
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import dev.parley.workflows.WorkflowClient;
import dev.parley.workflows.WorkflowClient.UnsentException;
import dev.parley.workflows.view.ViewFreshness;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Erases a project's processes and definitions from topics, state store and tables. */
public final class ErasedProcesses {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int BATCH_SIZE = 200;

    private static final String PROCESSES = """
            SELECT process_id, aggregate_version FROM workflows.process_info_t WHERE host_id = ? AND project_id = ?
            ORDER BY process_id LIMIT %d""".formatted(BATCH_SIZE);

    private static final String DELETE =
            "DELETE FROM workflows.process_info_t WHERE host_id = ? AND project_id = ? AND process_id = ?";

    private static final String NAMES =
            "SELECT DISTINCT namespace, name FROM workflows.wf_definition_t WHERE host_id = ? AND project_id = ?";

    private static final String DELETE_DEFINITIONS =
            "DELETE FROM workflows.wf_definition_t WHERE host_id = ? AND project_id = ?";

    private final WorkflowClient client;
    private final Database database;
    private final ViewFreshness freshness;

    public ErasedProcesses(WorkflowClient client, Database database, ViewFreshness freshness) {
        this.client = client;
        this.database = database;
        this.freshness = freshness;
    }

    private record Row(UUID process, long events) {}

    private record Name(String namespace, String name) {}

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
        List<Row> rows = query(PROCESSES, project, row -> new Row(row.getObject(1, UUID.class), row.getLong(2)));
        if (!rows.isEmpty()) {
            erase(project, rows);
            return OptionalLong.empty(); // there may be more
        }
        return OptionalLong.of(database.in(
                Tenant.of(project.host()),
                transaction -> transaction.update(DELETE_DEFINITIONS, project.host(), project.project())));
    }

    /** Removes the schedules of all workflows; returns whether all are removed. */
    private boolean removeSchedules(Project project) throws InterruptedException {
        for (Name name : query(NAMES, project, row -> new Name(row.getString(1), row.getString(2)))) {
            RecordKey key = WorkflowSchedule.key(project.projectKey(), name.namespace(), name.name());
            UUID id = Ids.of("erase schedule", key, String.valueOf(project.erasure()));
            if (!isDone(new RemoveSchedule(client.meta(id, project.host(), null), key))) {
                return false;
            }
        }
        return true;
    }

    private void erase(Project project, List<Row> rows) throws InterruptedException {
        for (Row row : rows) {
            var ref = new ProcessRef(project.host(), project.projectKey(), row.process());
            UUID id = Ids.of("erase process", row.process(), String.valueOf(project.erasure()));
            if (!isDone(new EraseProcess(client.meta(id, project.host(), null), ref, row.events()))) {
                return;
            }
        }
        freshness.await();
        database.in(Tenant.of(project.host()), transaction -> {
            rows.forEach(row -> transaction.update(DELETE, project.host(), project.project(), row.process()));
            return rows.size();
        });
    }

    private <T> List<T> query(String sql, Project project, Sql.Reader<T> row) {
        return database.in(
                Tenant.of(project.host()),
                (Transaction transaction) ->
                        transaction.query(sql, Columns.list(row), project.host(), project.project()));
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

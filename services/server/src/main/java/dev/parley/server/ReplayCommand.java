package dev.parley.server;

import dev.parley.memory.MemorySchema;
import dev.parley.memory.view.MemoryReplay;
import dev.parley.platform.embedded.StartupException;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.projection.ReplayReport;
import dev.parley.sessions.SessionsSchema;
import dev.parley.sessions.projection.SessionViewsReplay;
import dev.parley.workflows.WorkflowsSchema;
import dev.parley.workflows.view.WorkflowReplay;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.apache.kafka.common.errors.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code parley replay}: rebuilds the views in Postgres from the events. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description =
                "Rebuilds the views in Postgres from turn-events, memory-events and workflow-events, and reports whether they"
                        + " differ from those before. Works whether Parley is running or not.")
final class ReplayCommand implements Callable<Integer> {
    @ParentCommand
    private Parley parent;

    /** Replays one topic. */
    private interface Replaying {
        ReplayReport run() throws SQLException;
    }

    @Override
    public Integer call() throws SQLException {
        try (Infrastructure infrastructure = Infrastructure.of(parent.config())) {
            SessionsSchema.migrate(infrastructure.owner(), infrastructure.appRole());
            MemorySchema.migrate(infrastructure.owner(), infrastructure.appRole());
            WorkflowsSchema.migrate(infrastructure.owner(), infrastructure.appRole());
            DataSource owner = infrastructure.owner();
            KafkaClients clients = infrastructure.clients();
            boolean turns = replay(Topics.TURN_EVENTS, new SessionViewsReplay(owner, clients, Topics.TURN_EVENTS)::run);
            boolean memory = replay(Topics.MEMORY_EVENTS, new MemoryReplay(owner, clients, Topics.MEMORY_EVENTS)::run);
            boolean workflows = replay(Topics.WORKFLOW_EVENTS, new WorkflowReplay(owner, clients)::run);
            System.out.println(
                    turns && memory && workflows
                            ? "The views are equal to those before."
                            : "The views differ from those before: they had missed events, or were changed by hand.");
            return 0;
        }
    }

    /** Replays a topic and prints the result; returns whether the rows are unchanged. */
    private static boolean replay(Topic<?> topic, Replaying replaying) throws SQLException {
        System.out.println("Replaying " + topic + " ...");
        ReplayReport report;
        try {
            report = replaying.run();
        } catch (TimeoutException e) {
            throw new StartupException(
                    "The topic " + topic
                            + " does not exist. Before the first run there is nothing to replay: "
                            + "is this the right data folder?",
                    e);
        }
        print(report);
        return report.isEqual();
    }

    private static void print(ReplayReport report) {
        System.out.printf(
                "%d events in %.1f s, %d rejected (see the topic dead-letters).%n",
                report.events(), report.took().toMillis() / 1000.0, report.rejected());
        Map<String, String> before = report.before().tables();
        report.after()
                .tables()
                .forEach((table, digest) -> System.out.printf(
                        "  %-28s %s %s%n",
                        table,
                        digest.substring(0, Math.min(16, digest.length())),
                        digest.equals(before.get(table)) ? "as before" : "CHANGED"));
    }
}

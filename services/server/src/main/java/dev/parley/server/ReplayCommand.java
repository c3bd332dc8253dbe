package dev.parley.server;

import dev.parley.memory.MemorySchema;
import dev.parley.platform.database.Digest;
import dev.parley.platform.embedded.StartupException;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.sessions.SessionsSchema;
import dev.parley.sessions.projection.Replay;
import dev.parley.workflows.WorkflowsSchema;
import dev.parley.workflows.view.WorkflowReplay;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.kafka.common.errors.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code parley replay}: drops the views and builds them again from the events. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description =
                "Drops the views in Postgres and builds them again from turn-events, memory-events and workflow-events; says whether they"
                        + " are equal to those before. Works while Parley runs and while it does not.")
final class ReplayCommand implements Callable<Integer> {
    @ParentCommand
    private Parley parent;

    @SuppressWarnings("NullAway.Init")
    ReplayCommand() {}

    /** Replays one topic. */
    private interface Replaying<R> {
        R run() throws SQLException;
    }

    @Override
    public Integer call() throws SQLException {
        try (Infrastructure infrastructure = Infrastructure.of(parent.config())) {
            SessionsSchema.migrate(infrastructure.owner(), infrastructure.appRole());
            MemorySchema.migrate(infrastructure.owner(), infrastructure.appRole());
            WorkflowsSchema.migrate(infrastructure.owner(), infrastructure.appRole());
            Replay.Report turns = replay(
                    Topics.TURN_EVENTS,
                    new Replay(infrastructure.owner(), infrastructure.clients(), Topics.TURN_EVENTS)::run);
            print(turns.events(), turns.rejected(), turns.took(), turns.before(), turns.after());
            var memory = replay(
                    Topics.MEMORY_EVENTS,
                    new dev.parley.memory.view.MemoryReplay(
                            infrastructure.owner(), infrastructure.clients(), Topics.MEMORY_EVENTS)::run);
            print(memory.events(), memory.rejected(), memory.projecting(), memory.before(), memory.after());
            var workflows = replay(
                    Topics.WORKFLOW_EVENTS,
                    new WorkflowReplay(infrastructure.owner(), infrastructure.clients(), Topics.WORKFLOW_EVENTS)::run);
            print(workflows.events(), workflows.rejected(), workflows.took(), workflows.before(), workflows.after());
            System.out.println(
                    turns.isEqual() && memory.isEqual() && workflows.isEqual()
                            ? "The views are equal to those before."
                            : "The views differ from those before: they had missed events, or were changed by hand.");
            return 0;
        }
    }

    private static void print(long events, long rejected, Duration took, Digest before, Digest after) {
        System.out.printf(
                "%d events in %.1f s, %d rejected (they stand on dead-letters).%n",
                events, took.toMillis() / 1000.0, rejected);
        after.tables()
                .forEach((table, digest) -> System.out.printf(
                        "  %-28s %s %s%n",
                        table,
                        digest.substring(0, Math.min(16, digest.length())),
                        digest.equals(before.tables().get(table)) ? "as before" : "CHANGED"));
    }

    private static <R> R replay(Topic<?> topic, Replaying<R> replaying) throws SQLException {
        System.out.println("Replaying " + topic + " ...");
        try {
            return replaying.run();
        } catch (TimeoutException e) {
            throw new StartupException(
                    "Kafka does not tell of a topic " + topic
                            + ". Where Parley has not run yet there is nothing to replay: "
                            + "is this the right data folder?",
                    e);
        }
    }
}

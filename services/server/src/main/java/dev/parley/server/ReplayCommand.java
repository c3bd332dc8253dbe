package dev.parley.server;

import dev.parley.platform.embedded.StartupException;
import dev.parley.platform.kafka.Topics;
import dev.parley.sessions.SessionsSchema;
import dev.parley.sessions.projection.Replay;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.apache.kafka.common.errors.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code parley replay}: drops the views and builds them again from the events. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description =
                "Drops the views in Postgres and builds them again from turn-events; says whether they are equal to"
                        + " those before. Works while Parley runs and while it does not.")
final class ReplayCommand implements Callable<Integer> {
    @ParentCommand
    private Parley parent;

    @SuppressWarnings("NullAway.Init")
    ReplayCommand() {}

    @Override
    public Integer call() throws SQLException {
        try (Infrastructure infrastructure = Infrastructure.of(parent.config())) {
            SessionsSchema.migrate(infrastructure.owner(), infrastructure.appRole());
            System.out.println("Replaying turn-events ...");
            Replay.Report report = replay(infrastructure);
            System.out.printf(
                    "%d events in %.1f s, %d rejected (they stand on dead-letters).%n",
                    report.events(), report.took().toMillis() / 1000.0, report.rejected());
            report.after()
                    .tables()
                    .forEach((table, digest) -> System.out.printf(
                            "  %-28s %s %s%n",
                            table,
                            digest.substring(0, Math.min(16, digest.length())),
                            digest.equals(report.before().tables().get(table)) ? "as before" : "CHANGED"));
            System.out.println(
                    report.isEqual()
                            ? "The views are equal to those before."
                            : "The views differ from those before: they had missed events, or were changed by hand.");
            return 0;
        }
    }

    private static Replay.Report replay(Infrastructure infrastructure) throws SQLException {
        try {
            return new Replay(infrastructure.owner(), infrastructure.clients(), Topics.TURN_EVENTS).run();
        } catch (TimeoutException e) {
            throw new StartupException(
                    "Kafka does not tell of a topic " + Topics.TURN_EVENTS
                            + ". Where Parley has not run yet there is nothing to replay: "
                            + "is this the right data folder?",
                    e);
        }
    }
}

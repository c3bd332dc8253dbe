package dev.parley.server;

import dev.parley.domain.RecordKey;
import dev.parley.platform.config.ConfigException;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.embedded.StartupException;
import dev.parley.server.audit.Times;
import dev.parley.server.replay.ReplayPlan;
import dev.parley.server.replay.ReplayReport;
import dev.parley.server.replay.Replays;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code parley replay-session}: tries another agent or model on turns that happened. */
@Command(
        name = "replay-session",
        mixinStandardHelpOptions = true,
        description =
                "Answers recorded turns of a session once more with another agent or model, each after what went before it when it"
                        + " happened, and shows in what the answers differ. Models are asked; tools are not: they answer what they answered"
                        + " then. Nothing is delivered, remembered or written on topics. 0: all turns were answered, or the suite reaches its"
                        + " threshold; 1: not so; 2: it could not begin.")
final class ReplaySessionCommand implements Callable<Integer> {
    private static final int COULD_NOT_BEGIN = 2;

    @ParentCommand
    private Parley parent;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SESSION", arity = "0..1", description = "its key, or PROJECT/KEY")
    private @Nullable String session;

    @Option(names = "--agent", paramLabel = "NAME", description = "who answers: an agent that is published")
    private @Nullable String agent;

    @Option(
            names = "--agent-file",
            paramLabel = "FILE",
            description = "who answers: an agent that is not, as ./parley apply takes it")
    private @Nullable Path agentFile;

    @Option(names = "--model", paramLabel = "PROVIDER/MODEL", description = "instead of the agent's own")
    private @Nullable String model;

    @Option(names = "--turns", paramLabel = "A-B", description = "these turns alone, by number, such as 3 or 2-5")
    private @Nullable String turns;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = "how many turns of a session, the newest ones (20, at most 1000)")
    private int limit = 20;

    @Option(names = "--max-time", paramLabel = "DURATION", defaultValue = "10m", description = "of all (10m)")
    private String maxTime = "10m";

    @Option(
            names = "--max-tokens",
            paramLabel = "N",
            defaultValue = "500000",
            description = "of all calls of models, in and out (500000)")
    private long maxTokens = 500_000;

    @Option(
            names = "--max-cost",
            paramLabel = "DOLLARS",
            defaultValue = "1",
            description = "of all calls of models whose price is known (1)")
    private double maxCost = 1;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "keeps results there, a line of JSON each; turns that it has are not replayed again")
    private @Nullable Path out;

    @Option(
            names = "--suite",
            paramLabel = "FILE",
            description = "YAML: turns of sessions and what is expected of them")
    private @Nullable Path suite;

    @Option(
            names = "--threshold",
            paramLabel = "SHARE",
            description = "of the suite's expectations that have to be met, 0 to 1 (that of the suite, or 1)")
    private @Nullable Double threshold;

    @Option(names = "--json", description = "prints JSON")
    private boolean json;

    @SuppressWarnings("NullAway.Init")
    ReplaySessionCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        CommandLine line = spec.commandLine();
        ReplayPlan plan = plan();
        ParleyConfig config = parent.config();
        try (Infrastructure infrastructure = Infrastructure.of(config)) {
            ReplayReport report = new Replays(config, infrastructure.clients(), line.getErr()).run(plan);
            if (json) {
                report.json(line.getOut());
            } else {
                report.print(line.getOut());
            }
            return report.isGood() ? 0 : 1;
        } catch (IllegalArgumentException | ConfigException | StartupException | KafkaException e) {
            line.getErr().println(e.getMessage());
            return COULD_NOT_BEGIN;
        } finally {
            line.getOut().flush();
            line.getErr().flush();
        }
    }

    private ReplayPlan plan() {
        try {
            if (session != null) {
                // said early: a wrong key is a wrong call
                RecordKey.parse(session.contains("/") ? session : "default/" + session);
            }
            return new ReplayPlan(
                    session,
                    turns,
                    agent,
                    agentFile,
                    model,
                    limit,
                    Times.duration(maxTime),
                    maxTokens,
                    maxCost,
                    out,
                    suite,
                    threshold);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}

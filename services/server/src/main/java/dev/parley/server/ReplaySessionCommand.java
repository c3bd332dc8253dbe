package dev.parley.server;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Opinion;
import dev.parley.platform.config.ConfigException;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.embedded.StartupException;
import dev.parley.server.audit.TimeOptions;
import dev.parley.server.sessionreplay.ReplayPlan;
import dev.parley.server.sessionreplay.ReplayRunner;
import dev.parley.server.sessionreplay.TurnReplayReport;
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

/** {@code parley replay-session}: evaluates another agent or model on recorded turns. */
@Command(
        name = "replay-session",
        mixinStandardHelpOptions = true,
        description =
                "Reruns recorded turns of a session with another agent or model, each with the history that it had, and shows how"
                        + " the answers differ. Models are called; tool calls get their recorded results. Nothing is delivered,"
                        + " remembered or written to topics. Exit status: 0 when all turns were answered or the suite reaches its"
                        + " threshold, 1 otherwise, 2 when it could not begin.")
final class ReplaySessionCommand implements Callable<Integer> {
    private static final int COULD_NOT_BEGIN = 2;

    @ParentCommand
    private Parley parent;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SESSION", arity = "0..1", description = "its key, or PROJECT/KEY")
    private @Nullable String session;

    @Option(names = "--agent", paramLabel = "NAME", description = "agent to run")
    private @Nullable String agent;

    @Option(
            names = "--agent-file",
            paramLabel = "FILE",
            description = "unpublished agent to run, a file as for ./parley apply")
    private @Nullable Path agentFile;

    @Option(names = "--model", paramLabel = "PROVIDER/MODEL", description = "model, instead of the agent's own")
    private @Nullable String model;

    @Option(names = "--turns", paramLabel = "A-B", description = "only these turns, by number, such as 3 or 2-5")
    private @Nullable String turns;

    @Option(names = "--limit", paramLabel = "N", description = "maximum of turns, the newest ones (20, at most 1000)")
    private int limit = 20;

    @Option(names = "--max-time", paramLabel = "DURATION", description = "time limit for the whole run (10m)")
    private String maxTime = "10m";

    @Option(
            names = "--max-tokens",
            paramLabel = "N",
            description = "token limit of all model calls, input and output (500000)")
    private long maxTokens = 500_000;

    @Option(
            names = "--max-cost",
            paramLabel = "DOLLARS",
            description = "cost limit of all model calls with a known price (1)")
    private double maxCost = 1;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "appends results, a line of JSON each; turns that it has are not rerun")
    private @Nullable Path out;

    @Option(names = "--suite", paramLabel = "FILE", description = "YAML file with turns of sessions and expectations")
    private @Nullable Path suite;

    @Option(
            names = "--threshold",
            paramLabel = "SHARE",
            description = "share of the suite's expectations to meet, 0 to 1 (that of the suite, or 1)")
    private @Nullable Double threshold;

    @Option(
            names = "--feedback",
            paramLabel = "OPINION",
            description = "the turns that somebody finds good or bad, of all sessions where none is named: a suite in"
                    + " which good ones are to get the same reply, and bad ones another")
    private @Nullable String feedback;

    @Option(names = "--json", description = "prints JSON")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        CommandLine line = spec.commandLine();
        ReplayPlan plan = plan();
        ParleyConfig config = parent.config();
        try (Infrastructure infrastructure = Infrastructure.of(config)) {
            TurnReplayReport report = new ReplayRunner(config, infrastructure.clients(), line.getErr()).run(plan);
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

    private @Nullable Opinion opinion() {
        if (feedback == null) {
            return null;
        }
        return switch (feedback) {
            case "good" -> Opinion.GOOD;
            case "bad" -> Opinion.BAD;
            default -> throw new IllegalArgumentException("--feedback is good or bad.");
        };
    }

    private ReplayPlan plan() {
        try {
            if (session != null) {
                RecordKey.parse(session.contains("/") ? session : "default/" + session);
            }
            return new ReplayPlan(
                    session,
                    turns,
                    agent,
                    agentFile,
                    model,
                    limit,
                    TimeOptions.duration(maxTime),
                    maxTokens,
                    maxCost,
                    out,
                    suite,
                    threshold,
                    opinion());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}

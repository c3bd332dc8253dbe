package dev.parley.server.canary;

import dev.parley.server.audit.TimeOptions;
import dev.parley.server.canary.CanaryPlan.Ends;
import dev.parley.server.client.CommandException;
import dev.parley.server.client.ServerConnection;
import dev.parley.server.client.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code parley canary}: a synthetic client that takes turns continuously and reports lost, late and duplicate replies.
 */
@Command(
        name = "canary",
        mixinStandardHelpOptions = true,
        description =
                "Takes turns over HTTP, one after the other, until it is stopped. Each message carries a nonce that its reply has"
                        + " to return, once and in time. Exit status: 0 when every message got exactly one reply, 1 otherwise,"
                        + " 2 when it could not begin.")
public final class CanaryCommand implements Callable<Integer> {
    private static final int ALL_ANSWERED = 0;
    private static final int NOT_ALL_ANSWERED = 1;
    private static final int CANNOT_BEGIN = 2;
    private static final int LAST_PORT = 65_535;
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Option(names = "--turns", paramLabel = "N", description = "stops after N turns")
    private long turns;

    @Option(names = "--for", paramLabel = "DURATION", description = "stops after this time, such as 10m")
    private @Nullable String length;

    @Option(
            names = "--within",
            paramLabel = "DURATION",
            description = "deadline for the reply, from when the message is accepted (2m)")
    private String within = "2m";

    @Option(
            names = "--send-within",
            paramLabel = "DURATION",
            description = "how long sending a message is retried (10m)")
    private String sendWithin = "10m";

    @Option(names = "--pause", paramLabel = "DURATION", description = "pause between two turns (1s)")
    private String pause = "1s";

    @Option(
            names = "--turns-per-session",
            paramLabel = "N",
            description = "turns after which a session is checked as a whole, erased and replaced (20)")
    private int turnsPerSession = 20;

    @Option(
            names = "--ends",
            paramLabel = "WAY",
            description = "how the end of a turn is detected: events, poll, both (both)")
    private String ends = "both";

    @Option(
            names = "--text",
            paramLabel = "TEXT",
            description =
                    "text of the messages (!say {nonce}, for the scripted model); the reply has to contain {nonce}")
    private String text = "!say {nonce}";

    @Option(names = "--agent", paramLabel = "NAME", description = "agent, instead of the project's default")
    private @Nullable String agent;

    @Option(
            names = "--project",
            paramLabel = "KEY",
            description = "project of its sessions, instead of the default one")
    private @Nullable String project;

    @Option(names = "--keep", description = "keeps sessions without findings, instead of erasing them")
    private boolean keep;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            description = "serves Prometheus metrics on http://127.0.0.1:PORT/metrics")
    private @Nullable Integer metricsPort;

    @Option(names = "--line-every", paramLabel = "DURATION", description = "interval between status lines (1m)")
    private String lineEvery = "1m";

    @Override
    public Integer call() {
        CanaryPlan plan = plan();
        CommandLine line = spec.commandLine();
        try (var client = new CanaryClient(connection());
                var meters = new CanaryMeters()) {
            var statistics = new CanaryStatistics(line.getOut(), line.getErr(), meters);
            var run = new CanaryRun(plan, client, statistics);
            run.checkConnection();
            serveMetrics(meters, line.getOut());
            return run(run, statistics);
        } catch (IOException e) {
            line.getErr().println("--metrics-port %d cannot be used: %s".formatted(metricsPort, e.getMessage()));
        } catch (CommandException e) {
            line.getErr().println(e.getMessage());
        } catch (InterruptedException e) {
            line.getErr().println("Stopped before it began.");
        }
        line.getErr().flush();
        return CANNOT_BEGIN;
    }

    private void serveMetrics(CanaryMeters meters, PrintWriter out) throws IOException {
        if (metricsPort != null) {
            out.println("Metrics at http://127.0.0.1:%d/metrics".formatted(meters.serve(metricsPort)));
            out.flush();
        }
    }

    private ServerConnection connection() {
        try {
            return server.connection();
        } catch (RuntimeException e) { // no key, or unreadable settings
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Runs until the plan or a signal ends it. On Ctrl-C and SIGTERM it prints the summary and exits with its status.
     */
    private int run(CanaryRun run, CanaryStatistics statistics) {
        long start = System.nanoTime();
        var done = new CountDownLatch(1);
        Thread running = Thread.currentThread();
        Thread hook = Thread.ofPlatform().unstarted(() -> end(running, done, statistics));
        Runtime.getRuntime().addShutdownHook(hook);
        runWithStatusLines(run, statistics);
        statistics.printSummary(Duration.ofNanos(System.nanoTime() - start));
        done.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is shutting down; the hook sets the exit status
        }
        return status(statistics);
    }

    private void runWithStatusLines(CanaryRun run, CanaryStatistics statistics) {
        long interval = TimeOptions.duration(lineEvery).toNanos();
        try (var clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("canary-lines").factory())) {
            var lines = clock.scheduleAtFixedRate(statistics::printStatus, interval, interval, TimeUnit.NANOSECONDS);
            try {
                run.run();
            } catch (InterruptedException e) {
                // stopped by the user
            }
            lines.cancel(false);
        }
    }

    private static int status(CanaryStatistics statistics) {
        return statistics.isClean() ? ALL_ANSWERED : NOT_ALL_ANSWERED;
    }

    private static void end(Thread running, CountDownLatch done, CanaryStatistics statistics) {
        running.interrupt();
        try {
            if (done.await(SHUTDOWN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                Runtime.getRuntime().halt(status(statistics));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private CanaryPlan plan() {
        try {
            checkReporting();
            return new CanaryPlan(
                    project,
                    agent,
                    text,
                    turns,
                    length == null ? null : TimeOptions.duration(length),
                    TimeOptions.duration(sendWithin),
                    TimeOptions.duration(within),
                    TimeOptions.duration(pause),
                    turnsPerSession,
                    ends(),
                    keep);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private void checkReporting() {
        if (metricsPort != null && (metricsPort < 0 || metricsPort > LAST_PORT)) {
            throw new IllegalArgumentException("--metrics-port is a port, or 0 for any");
        }
        if (TimeOptions.duration(lineEvery).isZero()) {
            throw new IllegalArgumentException("--line-every is more than 0s");
        }
    }

    private Ends ends() {
        try {
            return Ends.valueOf(ends.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--ends is events, poll or both", e);
        }
    }
}

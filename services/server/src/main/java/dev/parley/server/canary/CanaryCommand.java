package dev.parley.server.canary;

import dev.parley.server.audit.Times;
import dev.parley.server.canary.CanaryPlan.Ends;
import dev.parley.server.chat.Connection;
import dev.parley.server.client.ServerOptions;
import java.io.IOException;
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

/** {@code parley canary}: takes real turns without end, and says which were lost or answered twice. */
@Command(
        name = "canary",
        mixinStandardHelpOptions = true,
        description =
                "Takes real turns over HTTP, one after the other, without end: each message carries a word of its own, and its reply has to"
                        + " carry it back, once, in time. 0: every message got its one answer, 1: one did not, 2: it could not begin.")
public final class CanaryCommand implements Callable<Integer> {
    private static final int ANSWERED = 0;
    private static final int NOT_ANSWERED = 1;
    private static final int CANNOT_BEGIN = 2;
    private static final int LAST_PORT = 65_535;
    private static final Duration LAST_WORDS = Duration.ofSeconds(10);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Option(names = "--turns", paramLabel = "N", description = "ends after so many turns")
    private long turns;

    @Option(names = "--for", paramLabel = "DURATION", description = "ends after so long, such as 10m")
    private @Nullable String length;

    @Option(
            names = "--within",
            paramLabel = "DURATION",
            defaultValue = "2m",
            description = "how long a message may wait for its reply once it is accepted (2m)")
    private String within = "2m";

    @Option(
            names = "--send-within",
            paramLabel = "DURATION",
            defaultValue = "10m",
            description = "how long a message is sent again that the server does not accept (10m)")
    private String sendWithin = "10m";

    @Option(
            names = "--pause",
            paramLabel = "DURATION",
            defaultValue = "1s",
            description = "how long it rests between two turns (1s)")
    private String pause = "1s";

    @Option(
            names = "--turns-per-session",
            paramLabel = "N",
            defaultValue = "20",
            description = "after so many a session is looked at as a whole and erased, and another begins (20)")
    private int turnsPerSession = 20;

    @Option(
            names = "--ends",
            paramLabel = "WAY",
            defaultValue = "both",
            description = "how it learns that a turn has ended: events, poll, both (both)")
    private String ends = "both";

    @Option(
            names = "--text",
            paramLabel = "TEXT",
            defaultValue = "!say {nonce}",
            description = "what it says (!say {nonce}, for the scripted model); {nonce} has to come back")
    private String text = "!say {nonce}";

    @Option(names = "--agent", paramLabel = "NAME", description = "who answers, instead of the project's own")
    private @Nullable String agent;

    @Option(
            names = "--project",
            paramLabel = "KEY",
            description = "in whose sessions it speaks, instead of the default one")
    private @Nullable String project;

    @Option(names = "--keep", description = "sessions in which nothing was wrong are not erased")
    private boolean keep;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            description = "where Prometheus reads http://127.0.0.1:PORT/metrics")
    private @Nullable Integer metricsPort;

    @Option(
            names = "--line-every",
            paramLabel = "DURATION",
            defaultValue = "1m",
            description = "how often it says how it is (1m)")
    private String lineEvery = "1m";

    /** Made by the command line. */
    @SuppressWarnings("NullAway.Init")
    public CanaryCommand() {}

    @Override
    public Integer call() {
        CanaryPlan plan = plan();
        CommandLine line = spec.commandLine();
        try (var client = new CanaryClient(connection());
                var meters = new CanaryMeters()) {
            var tally = new Tally(line.getOut(), line.getErr(), meters);
            var run = new CanaryRun(plan, client, tally);
            run.greet();
            if (metricsPort != null) {
                line.getOut().println("Metrics at http://127.0.0.1:%d/metrics".formatted(meters.serve(metricsPort)));
                line.getOut().flush();
            }
            return run(run, tally);
        } catch (IOException e) {
            line.getErr().println("--metrics-port %d cannot be used: %s".formatted(metricsPort, e.getMessage()));
        } catch (CannotBeginException e) {
            line.getErr().println(e.getMessage());
        } catch (InterruptedException e) {
            line.getErr().println("It was ended before it began.");
        }
        line.getErr().flush();
        return CANNOT_BEGIN;
    }

    private Connection connection() {
        try {
            return server.connection();
        } catch (RuntimeException e) { // there is no key, or the settings cannot be read
            throw new CannotBeginException(String.valueOf(e.getMessage()));
        }
    }

    /** Ctrl-C and SIGTERM end it in order: it says what there was, and its status is that of what there was. */
    private int run(CanaryRun run, Tally tally) {
        long begun = System.nanoTime();
        var over = new CountDownLatch(1);
        Thread running = Thread.currentThread();
        Thread ending = Thread.ofPlatform().unstarted(() -> end(running, over, tally));
        Duration every = Times.duration(lineEvery);
        Runtime.getRuntime().addShutdownHook(ending);
        try (var clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("canary-lines").factory())) {
            var lines = clock.scheduleAtFixedRate(tally::line, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
            try {
                run.run();
            } catch (InterruptedException e) {
                // it was told to end
            }
            lines.cancel(false);
        }
        tally.summary(Duration.ofNanos(System.nanoTime() - begun));
        over.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(ending);
        } catch (IllegalStateException e) {
            // the process ends, and the hook says with which status
        }
        return tally.isClean() ? ANSWERED : NOT_ANSWERED;
    }

    private static void end(Thread running, CountDownLatch over, Tally tally) {
        running.interrupt();
        try {
            if (over.await(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)) {
                Runtime.getRuntime().halt(tally.isClean() ? ANSWERED : NOT_ANSWERED);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private CanaryPlan plan() {
        try {
            if (metricsPort != null && (metricsPort < 0 || metricsPort > LAST_PORT)) {
                throw new IllegalArgumentException("--metrics-port is a port, or 0 for any");
            }
            if (Times.duration(lineEvery).isZero()) {
                throw new IllegalArgumentException("--line-every is more than 0s");
            }
            return new CanaryPlan(
                    project,
                    agent,
                    text,
                    turns,
                    length == null ? null : Times.duration(length),
                    Times.duration(sendWithin),
                    Times.duration(within),
                    Times.duration(pause),
                    turnsPerSession,
                    ends(),
                    keep);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
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

package dev.parley.server.canary;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Counts and latencies of all turns so far, and their output. Thread-safe. */
final class CanaryStatistics {
    private static final Duration MAX_TIME = Duration.ofHours(2);

    private final PrintWriter out;
    private final PrintWriter err;
    private final CanaryMeters meters;
    private final Map<Result, Long> counts = new EnumMap<>(Result.class);
    private final Histogram replies = histogram();
    private final Histogram readable = histogram();
    private final Histogram recent = histogram();
    private long sinceLine;
    private long retries;
    private boolean failed;

    CanaryStatistics(PrintWriter out, PrintWriter err, CanaryMeters meters) {
        this.out = out;
        this.err = err;
        this.meters = meters;
    }

    private static Histogram histogram() {
        return new Histogram(MAX_TIME.toMillis() * 1_000, 3);
    }

    synchronized void add(CanaryTurn.Done done, String session) {
        count(done.result());
        sinceLine++;
        if (done.reply() != null && done.readable() != null) {
            record(replies, done.reply());
            record(recent, done.reply());
            record(readable, done.readable());
            meters.recordAnswer(done.reply(), done.readable());
        }
        if (done.finding() != null) {
            print(done.finding(), session);
        }
    }

    private void count(Result result) {
        counts.merge(result, 1L, Long::sum);
        meters.countTurn(result);
        failed |= result != Result.ANSWERED;
    }

    private static void record(Histogram histogram, Duration time) {
        histogram.recordValue(Math.min(time.toNanos() / 1_000, histogram.getHighestTrackableValue()));
    }

    /** Adds findings of the check of a whole session. */
    synchronized void add(List<CanaryFinding> findings, String session) {
        for (CanaryFinding finding : findings) {
            count(finding.result());
            print(finding, session);
        }
    }

    private void print(CanaryFinding finding, String session) {
        err.println("%s  %s (session %s)".formatted(now(), finding, session));
        err.flush();
    }

    /**
     * Counts a retried request.
     *
     * @param reason the status, or {@code broken}
     */
    synchronized void countRetry(String reason) {
        retries++;
        meters.countRetry(reason);
    }

    /** Whether every turn so far had exactly one correct reply. */
    synchronized boolean isClean() {
        return !failed;
    }

    /** Prints a status line. */
    synchronized void printStatus() {
        out.println("%s  %d turns; of all: %s; reply %s".formatted(now(), sinceLine, describeCounts(), times(recent)));
        out.flush();
        recent.reset();
        sinceLine = 0;
    }

    synchronized void printSummary(Duration length) {
        out.println("In %s: %s; %d requests were sent again.".formatted(text(length), describeCounts(), retries));
        out.println("  reply    " + times(replies));
        out.println("  readable " + times(readable));
        out.println(failed ? "Not every message got exactly one reply." : "Every message got exactly one reply.");
        out.flush();
    }

    private String describeCounts() {
        return Arrays.stream(Result.values())
                .filter(result -> result == Result.ANSWERED
                        || result == Result.LOST
                        || result == Result.DUPLICATE
                        || counts.containsKey(result))
                .map(result -> "%d %s".formatted(counts.getOrDefault(result, 0L), result.code()))
                .collect(Collectors.joining(", "));
    }

    private static String times(Histogram micros) {
        if (micros.getTotalCount() == 0) {
            return "none";
        }
        return "p50 %.0f ms, p95 %.0f ms, p99 %.0f ms, max %.0f ms"
                .formatted(
                        micros.getValueAtPercentile(50) / 1000.0,
                        micros.getValueAtPercentile(95) / 1000.0,
                        micros.getValueAtPercentile(99) / 1000.0,
                        micros.getMaxValue() / 1000.0);
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String text(Duration length) {
        return length.toHours() > 0
                ? "%d h %d min".formatted(length.toHours(), length.toMinutesPart())
                : "%d min %d s".formatted(length.toMinutes(), length.toSecondsPart());
    }
}

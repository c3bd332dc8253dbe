package dev.parley.sessions.api;

import dev.parley.platform.http.TurnJson.UsageJson;
import dev.parley.sessions.api.OverviewJson.Hour;
import dev.parley.sessions.api.OverviewJson.ModelUse;
import dev.parley.sessions.api.OverviewJson.ToolFigures;
import dev.parley.sessions.api.OverviewRows.CallCount;
import dev.parley.sessions.api.OverviewRows.ToolCount;
import dev.parley.sessions.api.OverviewRows.TurnCount;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sums of rows that are counted by the minute: turns by state, failures, hours, models, tools. Durations are counted in
 * classes of 5 %, so percentiles are right within 2.5 %.
 */
final class OverviewFigures {
    /** Base of the classes of durations, as in {@link OverviewRows#tools}. */
    private static final double CLASS = 1.05;

    private static final int MAX_ROWS = 20;

    private record Model(
            @Nullable String provider, @Nullable String model) {}

    private static final class ModelSum {
        private long calls;
        private long failed;
        private long tokens;
        private BigDecimal cost = BigDecimal.ZERO;
    }

    private static final class ToolSum {
        private long calls;
        private long failed;
        private long unknown;
        private final TreeMap<Integer, Long> durations = new TreeMap<>();

        /** The duration in seconds that this part of the calls does not exceed. */
        double percentile(double part) {
            long rank = (long) Math.ceil(part * calls);
            long below = 0;
            for (Map.Entry<Integer, Long> durationClass : durations.entrySet()) {
                below += durationClass.getValue();
                if (below >= rank) {
                    return Math.pow(CLASS, durationClass.getKey() + 0.5);
                }
            }
            return 0;
        }
    }

    private final TreeMap<String, Long> ended = new TreeMap<>();
    private final TreeMap<String, Long> failures = new TreeMap<>();
    private final TreeMap<Instant, Hour> hours = new TreeMap<>();
    private final Map<Model, ModelSum> models = new HashMap<>();
    private final Map<String, ToolSum> tools = new HashMap<>();
    private UsageJson usage = new UsageJson(0, 0, 0, 0, 0, BigDecimal.ZERO);
    private long unpriced;

    void add(TurnCount turns) {
        if (!turns.open()) {
            ended.merge(turns.state(), turns.number(), Long::sum);
        }
        if (turns.state().equals("FAILED")) {
            failures.merge(turns.errorType() == null ? "unknown" : turns.errorType(), turns.number(), Long::sum);
        }
        hours.merge(turns.minute().truncatedTo(ChronoUnit.HOURS), hour(turns), OverviewFigures::sum);
    }

    private static Hour hour(TurnCount turns) {
        long number = turns.number();
        return new Hour(
                turns.minute().truncatedTo(ChronoUnit.HOURS),
                turns.state().equals("COMPLETED") ? number : 0,
                turns.state().equals("FAILED") ? number : 0,
                turns.state().equals("CANCELLED") ? number : 0,
                turns.open() ? number : 0);
    }

    private static Hour sum(Hour a, Hour b) {
        return new Hour(
                a.at(),
                a.completed() + b.completed(),
                a.failed() + b.failed(),
                a.cancelled() + b.cancelled(),
                a.open() + b.open());
    }

    void add(CallCount calls) {
        ModelSum sum = models.computeIfAbsent(new Model(calls.provider(), calls.model()), _ -> new ModelSum());
        sum.calls += calls.calls();
        sum.failed += calls.failed();
        sum.tokens += calls.input() + calls.output();
        sum.cost = sum.cost.add(calls.cost());
        unpriced += calls.unpriced();
        BigDecimal cost = usage.cost() == null ? calls.cost() : usage.cost().add(calls.cost());
        usage = new UsageJson(
                usage.input() + calls.input(),
                usage.output() + calls.output(),
                usage.reasoning() + calls.reasoning(),
                usage.cacheRead() + calls.cacheRead(),
                usage.cacheWrite() + calls.cacheWrite(),
                cost);
    }

    void add(ToolCount calls) {
        ToolSum sum = tools.computeIfAbsent(calls.tool(), _ -> new ToolSum());
        sum.calls += calls.calls();
        sum.failed += calls.failed();
        sum.unknown += calls.unknown();
        sum.durations.merge(calls.durationClass(), calls.calls(), Long::sum);
    }

    Map<String, Long> ended() {
        return ended;
    }

    Map<String, Long> failures() {
        return failures;
    }

    /** Oldest first. */
    List<Hour> hours() {
        return List.copyOf(hours.values());
    }

    UsageJson usage() {
        BigDecimal cost = usage.cost();
        return new UsageJson(
                usage.input(),
                usage.output(),
                usage.reasoning(),
                usage.cacheRead(),
                usage.cacheWrite(),
                cost == null ? null : plain(cost));
    }

    long unpriced() {
        return unpriced;
    }

    /** By descending failures, then calls; at most 20. */
    List<ModelUse> models() {
        return models.entrySet().stream()
                .map(entry -> new ModelUse(
                        entry.getKey().provider(),
                        entry.getKey().model(),
                        entry.getValue().calls,
                        entry.getValue().failed,
                        entry.getValue().tokens,
                        plain(entry.getValue().cost)))
                .sorted(Comparator.comparingLong(ModelUse::failed)
                        .thenComparingLong(ModelUse::calls)
                        .reversed())
                .limit(MAX_ROWS)
                .toList();
    }

    /** By descending failures, then calls; at most 20. */
    List<ToolFigures> tools() {
        return tools.entrySet().stream()
                .map(entry -> new ToolFigures(
                        entry.getKey(),
                        entry.getValue().calls,
                        entry.getValue().failed,
                        entry.getValue().unknown,
                        entry.getValue().percentile(0.5),
                        entry.getValue().percentile(0.95)))
                .sorted(Comparator.comparingLong(ToolFigures::failed)
                        .thenComparingLong(ToolFigures::calls)
                        .reversed())
                .limit(MAX_ROWS)
                .toList();
    }

    /** Without trailing zeros and without an exponent. */
    private static BigDecimal plain(BigDecimal number) {
        BigDecimal stripped = number.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }
}

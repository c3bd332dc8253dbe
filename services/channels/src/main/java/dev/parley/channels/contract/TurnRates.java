package dev.parley.channels.contract;

import dev.parley.domain.budget.BudgetScope;
import dev.parley.domain.budget.SpendingLimit;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.budget.BudgetJson;
import dev.parley.platform.collection.BoundedMap;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Rate limits of turns per minute, from the budgets of host, project and user. Each instance counts only what it
 * accepts; the oldest counters are dropped first.
 */
@Singleton
public final class TurnRates {
    private static final int MAX_BUCKETS = 10_000;

    private final AccessDirectory directory;
    private final MeterRegistry meters;
    private final LongSupplier nanos;
    private final Map<String, TurnBucket> buckets = new BoundedMap<>(MAX_BUCKETS);

    @Inject
    TurnRates(AccessDirectory directory, Optional<MeterRegistry> meters) {
        this(directory, meters.orElseGet(CompositeMeterRegistry::new), System::nanoTime);
    }

    TurnRates(AccessDirectory directory, MeterRegistry meters, LongSupplier nanos) {
        this.directory = directory;
        this.meters = meters;
        this.nanos = nanos;
    }

    /**
     * Too many turns.
     *
     * @param scope whose limit it is
     * @param pause the wait, at least one second
     */
    public record Busy(BudgetScope scope, Duration pause) {
        /** The code for programs. */
        public static final String CODE = "too_many_turns";

        /** The message for people. */
        public String message() {
            String whose = switch (scope) {
                case HOST -> "this installation";
                case PROJECT -> "this project";
                case USER -> "you";
            };
            return "Too many turns a minute for %s; try again in %d s.".formatted(whose, pause.toSeconds());
        }
    }

    /**
     * Counts a turn.
     *
     * @param user the account, or null for users of channels without one
     * @return the refusal; empty where the turn is accepted
     */
    public Optional<Busy> take(UUID host, UUID project, @Nullable UUID user) {
        var limited = new ArrayList<Limited>();
        add(limited, host, BudgetScope.HOST, host);
        add(limited, host, BudgetScope.PROJECT, project);
        if (user != null) {
            add(limited, host, BudgetScope.USER, user);
        }
        Optional<Busy> busy = limited.isEmpty() ? Optional.empty() : take(limited);
        busy.ifPresent(refusal -> meters.counter(
                        "parley_turns_refused", "scope", refusal.scope().code())
                .increment());
        return busy;
    }

    private record Limited(BudgetScope scope, String name, int perMinute) {}

    private void add(List<Limited> limited, UUID host, BudgetScope scope, UUID id) {
        BudgetJson.of(directory, host, scope, id)
                .map(SpendingLimit::turnsPerMinute)
                .ifPresent(turns -> limited.add(new Limited(scope, host + scope.setting(id), turns)));
    }

    /** Takes one token of each bucket, or of none. */
    private synchronized Optional<Busy> take(List<Limited> limited) {
        long now = nanos.getAsLong();
        for (Limited limit : limited) {
            Duration wait = bucket(limit, now).pause(limit.perMinute(), now);
            if (wait.isPositive()) {
                return Optional.of(new Busy(limit.scope(), atLeastASecond(wait)));
            }
        }
        limited.forEach(limit -> bucket(limit, now).take());
        return Optional.empty();
    }

    private static Duration atLeastASecond(Duration wait) {
        return Duration.ofSeconds(Math.max(1, wait.plusMillis(999).toSeconds()));
    }

    private TurnBucket bucket(Limited limit, long now) {
        return buckets.computeIfAbsent(limit.name(), _ -> new TurnBucket(limit.perMinute(), now));
    }
}

package dev.parley.channels.contract;

import dev.parley.domain.budget.Budget;
import dev.parley.domain.budget.BudgetScope;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.budget.BudgetJson;
import dev.parley.platform.collection.NewestMap;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micronaut.context.annotation.Requires;
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
 * How many turns a minute are taken in, by the budgets of the host, the project and the person. Each instance counts what it takes
 * in itself, and forgets the ones who came first where there are too many to remember.
 */
@Singleton
@Requires(property = "parley.role.channels", value = "true")
public final class TurnRates {
    private static final int REMEMBERED = 10_000;

    private final AccessDirectory directory;
    private final MeterRegistry meters;
    private final LongSupplier nanos;
    private final Map<String, TurnBucket> buckets = new NewestMap<>(REMEMBERED);

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
     * Too many turns came in.
     *
     * @param scope whose limit it is
     * @param pause how long to wait, a second at the least
     */
    public record Busy(BudgetScope scope, Duration pause) {
        /** What programs are told. */
        public static final String CODE = "too_many_turns";

        /** What people are told. */
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
     * Takes a turn in.
     *
     * @param user the account that speaks, or null: people of channels have none
     * @return why not; empty where it is taken in
     */
    public Optional<Busy> take(UUID host, UUID project, @Nullable UUID user) {
        var limited = new ArrayList<Limited>();
        add(limited, host, BudgetScope.HOST, host);
        add(limited, host, BudgetScope.PROJECT, project);
        if (user != null) {
            add(limited, host, BudgetScope.USER, user);
        }
        Optional<Busy> busy = limited.isEmpty() ? Optional.empty() : take(limited);
        busy.ifPresent(one -> meters.counter(
                        "parley_turns_refused", "scope", one.scope().code())
                .increment());
        return busy;
    }

    private record Limited(BudgetScope scope, String name, int perMinute) {}

    private void add(List<Limited> limited, UUID host, BudgetScope scope, UUID id) {
        BudgetJson.of(directory, host, scope, id)
                .map(Budget::turnsPerMinute)
                .ifPresent(turns -> limited.add(new Limited(scope, host + scope.setting(id), turns)));
    }

    /** Takes one of each bucket, or of none. */
    private synchronized Optional<Busy> take(List<Limited> limited) {
        long now = nanos.getAsLong();
        for (Limited one : limited) {
            Duration wait = bucket(one, now).pause(one.perMinute(), now);
            if (wait.isPositive()) {
                return Optional.of(new Busy(one.scope(), atLeastASecond(wait)));
            }
        }
        limited.forEach(one -> bucket(one, now).take());
        return Optional.empty();
    }

    private static Duration atLeastASecond(Duration wait) {
        return Duration.ofSeconds(Math.max(1, wait.plusMillis(999).toSeconds()));
    }

    private TurnBucket bucket(Limited one, long now) {
        return buckets.computeIfAbsent(one.name(), _ -> new TurnBucket(one.perMinute(), now));
    }
}

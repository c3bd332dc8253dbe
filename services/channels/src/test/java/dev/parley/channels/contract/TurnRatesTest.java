package dev.parley.channels.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.TurnRates.Busy;
import dev.parley.domain.budget.BudgetScope;
import dev.parley.platform.testkit.SettingsOnly;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TurnRatesTest {
    private final UUID host = UUID.randomUUID();
    private final UUID project = UUID.randomUUID();
    private final UUID ann = UUID.randomUUID();
    private final UUID bob = UUID.randomUUID();
    private final SettingsOnly settings = new SettingsOnly();
    private final AtomicLong now = new AtomicLong(-5);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final TurnRates rates = new TurnRates(settings, meters, now::get);

    private void limit(String name, int perMinute) {
        settings.set(host, name, "{\"turnsPerMinute\":" + perMinute + "}");
    }

    private Optional<Busy> turn(UUID user) {
        return rates.take(host, project, user);
    }

    private int accepted(UUID user, int turns) {
        int accepted = 0;
        for (int i = 0; i < turns; i++) {
            accepted += turn(user).isEmpty() ? 1 : 0;
        }
        return accepted;
    }

    @Test
    @Tag("O11")
    void limitsTurnsPerMinuteAndReturnsTheTimeToRetry() {
        limit("budget/user/" + ann, 6);

        assertEquals(6, accepted(ann, 1_000));
        assertEquals(Optional.of(new Busy(BudgetScope.USER, Duration.ofSeconds(10))), turn(ann));
        assertEquals(100, accepted(bob, 100), "nobody else is held back");

        now.addAndGet(Duration.ofSeconds(10).toNanos());
        assertEquals(1, accepted(ann, 10));
        now.addAndGet(Duration.ofHours(1).toNanos());
        assertEquals(6, accepted(ann, 10));
        assertEquals(
                994 + 1 + 9 + 4,
                meters.counter("parley_turns_refused", "scope", "user").count());
    }

    @Test
    void rejectedTurnCountsForNoLimit() {
        limit("budget", 5);
        limit("budget/user/" + ann, 1);

        assertEquals(1, accepted(ann, 50));
        assertEquals(4, accepted(bob, 50));
        assertEquals(BudgetScope.HOST, turn(bob).orElseThrow().scope());
    }

    @Test
    void changedRateAppliesAtOnce() {
        limit("budget/project/" + project, 1);
        assertEquals(1, accepted(ann, 5));

        limit("budget/project/" + project, 60);
        now.addAndGet(Duration.ofSeconds(3).toNanos());

        assertEquals(3, accepted(ann, 5));
        assertTrue(turn(ann).orElseThrow().message().startsWith("Too many turns a minute for this project"));
    }
}

package dev.parley.agents.budget;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.AgentsSchema;
import dev.parley.agents.budget.BudgetAdmission.Admission;
import dev.parley.agents.budget.BudgetAdmission.Admitted;
import dev.parley.agents.budget.BudgetAdmission.Deferred;
import dev.parley.agents.budget.BudgetAdmission.Refused;
import dev.parley.domain.budget.BudgetScope;
import dev.parley.domain.budget.Spend;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.testkit.SettingsOnly;
import dev.parley.platform.testkit.TestInfra;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Budgets in a real database, with concurrent workers and workers that die. */
class BudgetLedgerIT {
    private static final Duration LEASE = Duration.ofMillis(400);
    private static final long DOLLAR = 1_000_000_000;
    private static Database database;

    private final UUID host = UUID.randomUUID();
    private final UUID project = UUID.randomUUID();
    private final UUID user = UUID.randomUUID();
    private final SettingsOnly settings = new SettingsOnly();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final MovingClock clock = new MovingClock();
    private final BudgetLedger ledger = new BudgetLedger(database, LEASE, clock);
    private final UsageWriter usageWriter = new UsageWriter(ledger);
    private final BudgetAdmission budgets = new LedgerBudgets(settings, ledger, usageWriter, meters);

    private static final class MovingClock extends Clock {
        private volatile Instant now = Instant.parse("2026-03-31T12:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }

    @BeforeAll
    static void migrate() {
        var created = TestInfra.newDatabase();
        var owner = Databases.single(created.owner());
        AgentsSchema.migrate(owner, created.app().user());
        AgentsSchema.migrate(owner, created.app().user());
        database = Database.of(Databases.single(created.app()));
    }

    private Admission admit(long cents, long tokens) {
        var call = new Call(host, project, user, UUID.randomUUID(), 1, "openai", "gpt");
        return budgets.admit(call, () -> new Estimate(cents * DOLLAR / 100, tokens));
    }

    private Admitted admitted(long cents, long tokens) {
        return assertInstanceOf(Admitted.class, admit(cents, tokens));
    }

    private static Usage usage(long cents, long tokens) {
        return new Usage(tokens, 0, 0, 0, 0, cents * DOLLAR / 100);
    }

    private BudgetUsage used(BudgetScope scope) {
        return ledger.readUsage(
                host,
                scope,
                switch (scope) {
                    case HOST -> host;
                    case PROJECT -> project;
                    case USER -> user;
                });
    }

    /** Makes calls concurrently until the budget is used up; each costs at most its estimate. */
    private int callsUntilUsedUp(int expected, int cost) throws Exception {
        var calls = new AtomicInteger();
        var deadline = Deadline.in(Duration.ofSeconds(60));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<?>>();
            for (int i = 0; i < 50; i++) {
                futures.add(threads.submit(() -> {
                    Admission answer = admit(expected, 1);
                    while (answer instanceof Deferred && !deadline.passed()) {
                        answer = admit(expected, 1); // as the turn machine does
                    }
                    if (answer instanceof Admitted admitted) {
                        calls.incrementAndGet();
                        admitted.settle(usage(cost, 1));
                    }
                }));
            }
            for (Future<?> future : futures) {
                future.get(60, TimeUnit.SECONDS);
            }
        }
        return calls.get();
    }

    @Test
    @Tag("B1")
    void concurrentCallsExceedABudgetByAtMostOneCall() throws Exception {
        // Given
        settings.set(host, "budget", "{\"amount\":0.95,\"period\":\"day\"}");

        // When
        int calls = callsUntilUsedUp(10, 10);

        // Then
        assertEquals(10, calls, "nine fit, and one more begins while something is left");
        assertEquals(new Spend(DOLLAR, 10, 0), used(BudgetScope.HOST).day());
        assertEquals(Spend.NOTHING, used(BudgetScope.HOST).reserved());
        assertEquals(
                40, meters.counter("parley_budget_refusals", "scope", "host").count());
        assertEquals(1, meters.counter("parley_cost_usd", "provider", "openai").count(), 1e-9);
        assertTrue(
                assertInstanceOf(Refused.class, admit(10, 1))
                        .detail()
                        .equals(
                                "the budget of this installation for today is used up; it begins anew on 2026-04-01 at 00:00 UTC"));
    }

    @Test
    @Tag("B1")
    void callsEstimatedAboveTheRestRunOneByOne() throws Exception {
        settings.set(host, "budget/user/" + user, "{\"amount\":0.25,\"period\":\"total\"}");

        int calls = callsUntilUsedUp(300, 10);

        assertEquals(3, calls);
        assertEquals(30 * DOLLAR / 100, used(BudgetScope.USER).total().nanos());
    }

    @Test
    @Tag("B1")
    void releasesReservationsOfADeadWorkerAfterItsLease() {
        // Given
        settings.set(host, "budget/project/" + project, "{\"tokens\":100,\"period\":\"month\"}");
        Admitted dead = admitted(0, 80);
        assertInstanceOf(Deferred.class, admit(0, 30));

        // When nobody gives a sign of life
        Admitted next = (Admitted) await().until(
                        () -> {
                            ledger.expire();
                            return admit(0, 30);
                        },
                        Admitted.class::isInstance);

        // Then
        next.settle(usage(0, 20));
        assertEquals(20, used(BudgetScope.PROJECT).month().tokens());
        assertEquals(Spend.NOTHING, used(BudgetScope.PROJECT).reserved());

        // When it comes back all the same
        dead.settle(usage(0, 70));
        dead.settle(usage(0, 70));

        // Then
        assertEquals(90, used(BudgetScope.PROJECT).month().tokens());
        assertEquals(Spend.NOTHING, used(BudgetScope.PROJECT).reserved());
    }

    @Test
    void renewedReservationIsKept() {
        // Given
        settings.set(host, "budget", "{\"tokens\":100,\"period\":\"day\"}");
        Admitted slow = admitted(0, 100);
        Instant end = Instant.now().plus(LEASE.multipliedBy(3));

        // Then
        await().pollInterval(LEASE.dividedBy(8)).until(() -> {
            slow.renew();
            ledger.expire();
            assertInstanceOf(Deferred.class, admit(0, 1));
            return Instant.now().isAfter(end);
        });

        slow.release();
        admitted(0, 1).release();
    }

    @Test
    @Tag("B1")
    void reservesInAllBudgetsOrNone() {
        settings.set(host, "budget", "{\"amount\":10,\"period\":\"day\"}");
        settings.set(host, "budget/user/" + user, "{\"tokens\":5,\"period\":\"day\"}");
        admitted(100, 5).settle(usage(50, 5));

        var refused = assertInstanceOf(Refused.class, admit(1, 1));

        assertEquals(BudgetScope.USER, refused.scope());
        assertEquals(Spend.NOTHING, used(BudgetScope.HOST).reserved());
        assertEquals(50 * DOLLAR / 100, used(BudgetScope.PROJECT).total().nanos(), "who has no budget is counted, too");
    }

    @Test
    void budgetResetsEachPeriodAndCanBeRaised() {
        settings.set(host, "budget", "{\"tokens\":10,\"period\":\"day\"}");
        admitted(0, 10).settle(usage(0, 10));
        assertInstanceOf(Refused.class, admit(0, 1));

        clock.now = Instant.parse("2026-04-01T00:00:00Z");

        admitted(0, 4).settle(usage(0, 4));
        assertEquals(4, used(BudgetScope.HOST).day().tokens());
        assertEquals(4, used(BudgetScope.HOST).month().tokens());
        assertEquals(14, used(BudgetScope.HOST).total().tokens());
        settings.set(host, "budget", "{\"tokens\":14,\"period\":\"total\"}");
        assertInstanceOf(Refused.class, admit(0, 1));
        settings.set(host, "budget", "{\"tokens\":15,\"period\":\"total\"}");
        admitted(0, 1).release();
    }

    @Test
    void aBudgetOfDollarsNeedsAPrice() {
        settings.set(host, "budget", "{\"amount\":10,\"period\":\"day\"}");
        var call = new Call(host, project, null, UUID.randomUUID(), 1, "local", "llama");

        var refused = assertInstanceOf(Refused.class, budgets.admit(call, () -> new Estimate(null, 5)));

        assertTrue(refused.detail().endsWith("set one with PUT /v1/prices/local/llama"), refused.detail());
    }

    @Test
    void countsCallsWithoutABudget() {
        admitted(0, 1).settle(usage(7, 3));
        admitted(0, 1).settle(new Usage(2, 1, 0, 0, 0, null));
        usageWriter.close();

        assertEquals(new Spend(7 * DOLLAR / 100, 6, 1), used(BudgetScope.HOST).total());
        assertEquals(6, used(BudgetScope.USER).day().tokens());
    }

    @Test
    void unavailableLedgerDelaysCallsWithABudgetOnly() {
        var away = new BudgetLedger(
                new Database(() -> {
                    throw new SQLException("away", "08001");
                }),
                LEASE,
                clock);
        BudgetAdmission blind = new LedgerBudgets(settings, away, new UsageWriter(away), meters);
        var call = new Call(host, project, user, UUID.randomUUID(), 1, "openai", "gpt");

        assertInstanceOf(Admitted.class, blind.admit(call, () -> new Estimate(1L, 1)));
        settings.set(host, "budget/user/" + user, "{\"amount\":1,\"period\":\"day\"}");
        assertInstanceOf(Deferred.class, blind.admit(call, () -> new Estimate(1L, 1)));
    }
}

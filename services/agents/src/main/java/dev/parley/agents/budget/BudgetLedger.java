package dev.parley.agents.budget;

import dev.parley.domain.budget.BudgetScope;
import dev.parley.domain.budget.Period;
import dev.parley.domain.budget.Spend;
import dev.parley.domain.budget.SpendingLimit;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of used and reserved amounts, in Postgres. A call is admitted when it fits in addition to all running
 * calls, or when no other call runs and the budget is not used up: so a budget is never exceeded by more than one call.
 * All methods throw {@link FailedException} when the database fails.
 */
final class BudgetLedger {
    private final Sql sql;
    private final Duration lease;
    private final Clock clock;

    /** @param lease time for which a reservation holds without being renewed */
    BudgetLedger(Database database, Duration lease, Clock clock) {
        this.sql = new Sql(database);
        this.lease = lease;
        this.clock = clock;
    }

    /** Today, in UTC. */
    LocalDate today() {
        return LocalDate.now(clock);
    }

    /** Reserves the estimate for all shares or for none, in one statement. */
    ReserveResult reserve(Call call, List<BudgetShare> shares, Spend estimate) {
        var reservation = new Reservation(call.host(), UUID.randomUUID());
        List<BudgetCheck> checks = checks(call, shares, estimate, reservation);
        if (checks.size() < shares.size()) {
            var zeros = new HashMap<BudgetShare, Spend>();
            shares.forEach(share -> zeros.put(share, Spend.NOTHING));
            add(call.host(), zeros); // missing rows cannot be locked
            checks = checks(call, shares, estimate, reservation);
        }
        return ReserveResult.of(shares, checks, reservation);
    }

    private List<BudgetCheck> checks(Call call, List<BudgetShare> shares, Spend estimate, Reservation reservation) {
        return sql.as(Tenant.of(call.host()))
                .query(
                        BudgetSql.RESERVE,
                        BudgetCheck::all,
                        today(),
                        estimate.nanos(),
                        estimate.tokens(),
                        texts(shares, share -> share.scope().code()),
                        texts(shares, share -> share.id().toString()),
                        texts(shares, share -> period(share).code()),
                        limits(shares, SpendingLimit::nanos),
                        limits(shares, SpendingLimit::tokens),
                        call.host(),
                        shares.size(),
                        call.host(),
                        call.host(),
                        reservation.id(),
                        call.callId(),
                        call.attempt(),
                        lease.toMillis());
    }

    private static Period period(BudgetShare share) {
        return share.budget() == null ? Period.TOTAL : share.budget().period();
    }

    private static String[] texts(List<BudgetShare> shares, Function<BudgetShare, String> text) {
        return shares.stream().map(text).toArray(String[]::new);
    }

    private static @Nullable Long[] limits(List<BudgetShare> shares, Function<SpendingLimit, @Nullable Long> limit) {
        return shares.stream()
                .map(share -> share.budget() == null ? null : limit.apply(share.budget()))
                .toArray(Long[]::new);
    }

    /** Replaces a reservation by the actual usage. Idempotent. */
    void settle(Reservation reservation, Spend used) {
        sql.as(Tenant.of(reservation.host()))
                .update(
                        BudgetSql.SETTLE,
                        reservation.host(),
                        reservation.id(),
                        today(),
                        today().withDayOfMonth(1),
                        used.nanos(),
                        used.tokens(),
                        used.unpriced(),
                        reservation.host(),
                        reservation.host());
    }

    /** Renews a reservation for another lease; an expired one stays expired. */
    void renew(Reservation reservation) {
        sql.as(Tenant.of(reservation.host()))
                .update(BudgetSql.RENEW, lease.toMillis(), reservation.host(), reservation.id());
    }

    /** Releases expired reservations. Usage that their workers still report within a day is counted. */
    void expire() {
        sql.as(Tenant.ALL).update(BudgetSql.EXPIRE);
        sql.as(Tenant.ALL).update(BudgetSql.FORGET);
    }

    /** Adds usage without a reservation. */
    void add(UUID host, Map<BudgetShare, Spend> used) {
        var entries = List.copyOf(used.entrySet());
        List<BudgetShare> shares = entries.stream().map(Map.Entry::getKey).toList();
        List<Spend> spends = entries.stream().map(Map.Entry::getValue).toList();
        sql.as(Tenant.of(host))
                .update(
                        BudgetSql.ADD,
                        host,
                        today(),
                        today().withDayOfMonth(1),
                        texts(shares, share -> share.scope().code()),
                        texts(shares, share -> share.id().toString()),
                        spends.stream().map(Spend::nanos).toArray(Long[]::new),
                        spends.stream().map(Spend::tokens).toArray(Long[]::new),
                        spends.stream().map(Spend::unpriced).toArray(Long[]::new));
    }

    /** The used and reserved amounts; zero where nothing was counted yet. */
    BudgetUsage readUsage(UUID host, BudgetScope scope, UUID id) {
        return sql.as(Tenant.of(host))
                .query(BudgetSql.USED, BudgetUsage::of, today(), today().withDayOfMonth(1), host, scope.code(), id);
    }
}

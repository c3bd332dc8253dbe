package dev.parley.agents.budget;

import dev.parley.domain.budget.Budget;
import dev.parley.domain.budget.BudgetScope;
import dev.parley.domain.budget.Period;
import dev.parley.domain.budget.Spend;
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
 * What is used and reserved, in Postgres. A call is let through when it fits beside all others that are being made, or when it is
 * the only one and anything is left: so a budget is never exceeded by more than one call. All methods throw
 * {@link FailedException} where the database does not do it.
 */
final class BudgetLedger {
    private final Sql sql;
    private final Duration lease;
    private final Clock clock;

    /** @param lease after which a reservation without a sign of life holds nothing any more */
    BudgetLedger(Database database, Duration lease, Clock clock) {
        this.sql = new Sql(database);
        this.lease = lease;
        this.clock = clock;
    }

    /** Today, in UTC. */
    LocalDate today() {
        return LocalDate.now(clock);
    }

    /** Reserves for all shares or for none, in one statement. */
    Verdict reserve(Call call, List<BudgetShare> shares, Spend most) {
        var reservation = new Reservation(call.host(), UUID.randomUUID());
        List<BudgetCheck> rooms = rooms(call, shares, most, reservation);
        if (rooms.size() < shares.size()) {
            var nothing = new HashMap<BudgetShare, Spend>();
            shares.forEach(share -> nothing.put(share, Spend.NOTHING));
            add(call.host(), nothing); // rows that are not there cannot be locked
            rooms = rooms(call, shares, most, reservation);
        }
        return Verdict.of(shares, rooms, reservation);
    }

    private List<BudgetCheck> rooms(Call call, List<BudgetShare> shares, Spend most, Reservation reservation) {
        return sql.as(Tenant.of(call.host()))
                .query(
                        BudgetSql.RESERVE,
                        BudgetCheck::all,
                        today(),
                        most.nanos(),
                        most.tokens(),
                        texts(shares, share -> share.scope().code()),
                        texts(shares, share -> share.id().toString()),
                        texts(shares, share -> period(share).code()),
                        limits(shares, Budget::nanos),
                        limits(shares, Budget::tokens),
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

    private static @Nullable Long[] limits(List<BudgetShare> shares, Function<Budget, @Nullable Long> limit) {
        return shares.stream()
                .map(share -> share.budget() == null ? null : limit.apply(share.budget()))
                .toArray(Long[]::new);
    }

    /** Ends a reservation: counts what was used. A second time changes nothing. */
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

    /** Keeps a reservation for another lease; one that has expired stays so. */
    void renew(Reservation reservation) {
        sql.as(Tenant.of(reservation.host()))
                .update(BudgetSql.RENEW, lease.toMillis(), reservation.host(), reservation.id());
    }

    /** Lets go of what silent workers hold; what they used counts should they come back within a day. */
    void expire() {
        sql.as(Tenant.ALL).update(BudgetSql.EXPIRE);
        sql.as(Tenant.ALL).update(BudgetSql.FORGET);
    }

    /** Counts what was used without a reservation. */
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

    /** What is used and reserved; nothing where nothing was ever counted. */
    BudgetUsage used(UUID host, BudgetScope scope, UUID id) {
        return sql.as(Tenant.of(host))
                .query(BudgetSql.USED, BudgetUsage::of, today(), today().withDayOfMonth(1), host, scope.code(), id);
    }
}

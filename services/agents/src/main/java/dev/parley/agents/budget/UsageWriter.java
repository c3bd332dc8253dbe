package dev.parley.agents.budget;

import dev.parley.domain.budget.BudgetScope;
import dev.parley.domain.budget.Spend;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.service.Recurring;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes usage to the ledger in the background: usage without a budget, summed over 250 ms, and reservations that could
 * not be settled at once. While the database is unavailable, both are held in memory.
 */
public final class UsageWriter extends Recurring {
    private static final Duration INTERVAL = Duration.ofMillis(250);
    /** Expired reservations are released every this many passes. */
    private static final int PASSES_PER_EXPIRY = 8;

    private final BudgetLedger ledger;
    private final Map<UUID, Map<BudgetShare, Spend>> sums = new HashMap<>();
    private final Deque<End> ends = new ArrayDeque<>();
    private int passes;

    private record End(Reservation reservation, Spend used) {}

    public UsageWriter(BudgetLedger ledger) {
        super("spending", INTERVAL, "usage of model calls cannot be recorded");
        this.ledger = ledger;
    }

    /** Adds the usage of a call without a reservation; written with the next pass. */
    synchronized void add(UUID host, BudgetScope scope, UUID id, Spend used) {
        sums.computeIfAbsent(host, _ -> new HashMap<>()).merge(new BudgetShare(scope, id, null), used, Spend::plus);
    }

    /** Settles a reservation as soon as the database accepts it. */
    synchronized void end(Reservation reservation, Spend used) {
        ends.add(new End(reservation, used));
    }

    @Override
    protected void pass() {
        writeSums();
        writeEnds();
        if (passes++ % PASSES_PER_EXPIRY == 0) {
            ledger.expire();
        }
    }

    @Override
    protected Duration rest(boolean failed) {
        return INTERVAL;
    }

    private void writeSums() {
        for (UUID host : hosts()) {
            Map<BudgetShare, Spend> used = takeSums(host);
            try {
                ledger.add(host, used);
            } catch (FailedException e) {
                used.forEach((share, spend) -> add(host, share.scope(), share.id(), spend));
                throw e;
            }
        }
    }

    private synchronized List<UUID> hosts() {
        return new ArrayList<>(sums.keySet());
    }

    private synchronized Map<BudgetShare, Spend> takeSums(UUID host) {
        Map<BudgetShare, Spend> used = sums.remove(host);
        return used == null ? Map.of() : used;
    }

    private void writeEnds() {
        for (End end = next(); end != null; end = next()) {
            ledger.settle(end.reservation(), end.used());
            removeFirst();
        }
    }

    private synchronized @Nullable End next() {
        return ends.peek();
    }

    private synchronized void removeFirst() {
        ends.remove();
    }

    /** Stops after a last pass. */
    @Override
    public void close() {
        super.close();
        tryPass();
    }
}

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
 * Writes down what was used where nobody waits for it: calls of those without a budget, summed up for a moment, and ends of
 * reservations that the database did not take at once. While it is away, both are kept in memory.
 */
public final class Spending extends Recurring {
    private static final Duration MOMENT = Duration.ofMillis(250);
    /** Every so many moments what silent workers hold is let go of. */
    private static final int EXPIRE = 8;

    private final BudgetLedger ledger;
    private final Map<UUID, Map<BudgetShare, Spend>> sums = new HashMap<>();
    private final Deque<End> ends = new ArrayDeque<>();
    private int moment;

    private record End(Reservation reservation, Spend used) {}

    public Spending(BudgetLedger ledger) {
        super("spending", MOMENT, "what calls used cannot be written down now");
        this.ledger = ledger;
    }

    /** Counts what a call without a reservation used, in a moment. */
    synchronized void add(UUID host, BudgetScope scope, UUID id, Spend used) {
        sums.computeIfAbsent(host, _ -> new HashMap<>()).merge(new BudgetShare(scope, id, null), used, Spend::plus);
    }

    /** Ends a reservation, as soon as that is possible. */
    synchronized void end(Reservation reservation, Spend used) {
        ends.add(new End(reservation, used));
    }

    @Override
    protected void pass() {
        writeSums();
        writeEnds();
        if (moment++ % EXPIRE == 0) {
            ledger.expire();
        }
    }

    @Override
    protected Duration rest(boolean failed) {
        return MOMENT;
    }

    private void writeSums() {
        for (UUID host : hosts()) {
            Map<BudgetShare, Spend> used = taken(host);
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

    private synchronized Map<BudgetShare, Spend> taken(UUID host) {
        Map<BudgetShare, Spend> used = sums.remove(host);
        return used == null ? Map.of() : used;
    }

    private void writeEnds() {
        for (End end = next(); end != null; end = next()) {
            ledger.settle(end.reservation(), end.used());
            done();
        }
    }

    private synchronized @Nullable End next() {
        return ends.peek();
    }

    private synchronized void done() {
        ends.remove();
    }

    /** Writes the rest down. */
    @Override
    public void close() {
        super.close();
        tryPass();
    }
}

package dev.parley.agents.budget;

import dev.parley.domain.budget.BudgetScope;
import dev.parley.domain.budget.Spend;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what was used where nobody waits for it: calls of those without a budget, summed up for a moment, and ends of
 * reservations that the database did not take at once. While it is away, both are kept in memory.
 */
public final class Spending implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(Spending.class);
    private static final Duration MOMENT = Duration.ofMillis(250);
    /** Every so many moments what silent workers hold is let go of. */
    private static final int EXPIRE = 8;

    private final BudgetLedger ledger;
    private final Map<UUID, Map<Share, Spend>> sums = new HashMap<>();
    private final Deque<End> ends = new ArrayDeque<>();
    private volatile boolean stopped;
    private volatile @Nullable String problem;
    private @Nullable Thread thread;

    private record End(Reservation reservation, Spend used) {}

    public Spending(BudgetLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "spending";
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("spending").start(this::run);
    }

    /** Counts what a call without a reservation used, in a moment. */
    synchronized void add(UUID host, BudgetScope scope, UUID id, Spend used) {
        sums.computeIfAbsent(host, _ -> new HashMap<>()).merge(new Share(scope, id, null), used, Spend::plus);
    }

    /** Ends a reservation, as soon as that is possible. */
    synchronized void end(Reservation reservation, Spend used) {
        ends.add(new End(reservation, used));
    }

    private void run() {
        try {
            for (int moment = 0; !stopped; moment++) {
                Thread.sleep(MOMENT);
                write(moment % EXPIRE == 0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(boolean expire) {
        try {
            writeSums();
            writeEnds();
            if (expire) {
                ledger.expire();
            }
            problem = null;
        } catch (RuntimeException e) {
            if (problem == null) {
                LOG.atWarn().setCause(e).log("what calls used cannot be written down now; it is tried again");
            }
            problem = "cannot write: " + e.getMessage();
        }
    }

    private void writeSums() {
        for (UUID host : hosts()) {
            Map<Share, Spend> used = taken(host);
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

    private synchronized Map<Share, Spend> taken(UUID host) {
        Map<Share, Spend> used = sums.remove(host);
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

    /** Calls are made without it, where nobody has a budget. */
    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    /** Writes the rest down. */
    @Override
    public void close() {
        stopped = true;
        try {
            if (thread != null) {
                thread.join(Duration.ofSeconds(10));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        write(false);
    }
}

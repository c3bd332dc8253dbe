package dev.parley.platform.http.limit;

import java.util.HashMap;
import java.util.Map;

/** Amounts in use, by holder and in total, within limits. What is taken must be given back. */
final class Shares {
    private final long limit;
    private final Map<String, Long> holders = new HashMap<>();
    private long total;

    /** @param limit of all holders together */
    Shares(long limit) {
        this.limit = limit;
    }

    /** Whether an amount was taken, or else whose limit refused it. */
    enum Outcome {
        TAKEN,
        HOLDER_FULL,
        ALL_FULL
    }

    /** @param each limit of this holder */
    synchronized Outcome take(String holder, long amount, long each) {
        long held = holders.getOrDefault(holder, 0L);
        if (held + amount > each) {
            return Outcome.HOLDER_FULL;
        }
        if (total + amount > limit) {
            return Outcome.ALL_FULL;
        }
        holders.put(holder, held + amount);
        total += amount;
        return Outcome.TAKEN;
    }

    synchronized void give(String holder, long amount) {
        holders.computeIfPresent(holder, (_, held) -> held > amount ? held - amount : null);
        total -= amount;
    }

    synchronized long total() {
        return total;
    }

    synchronized int holders() {
        return holders.size();
    }
}

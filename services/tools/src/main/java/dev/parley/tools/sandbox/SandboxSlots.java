package dev.parley.tools.sandbox;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Concurrency slots. One owner never gets all of them, if there is more than one slot. */
final class SandboxSlots {
    private final Semaphore all;
    private final int share;
    private final Map<UUID, Own> owners = new ConcurrentHashMap<>();

    /** @param here the number of holders and waiters */
    private record Own(Semaphore slots, int here) {
        Own with(int more) {
            return new Own(slots, here + more);
        }
    }

    SandboxSlots(int all) {
        this.all = new Semaphore(all, true);
        this.share = Math.max(1, all - 1);
    }

    /** Waits for a slot, which must be released. @return false if none becomes free in time */
    boolean acquire(UUID owner, long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        Semaphore own = come(owner);
        boolean mine = false;
        boolean acquired = false;
        try {
            mine = own.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            acquired = mine && all.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            return acquired;
        } finally {
            if (!acquired) {
                leave(owner, mine);
            }
        }
    }

    void release(UUID owner) {
        all.release();
        leave(owner, true);
    }

    private Semaphore come(UUID owner) {
        return owners.compute(owner, (_, own) -> own == null ? new Own(new Semaphore(share, true), 1) : own.with(1))
                .slots();
    }

    /** Removes an owner without holders and waiters. */
    private void leave(UUID owner, boolean held) {
        owners.computeIfPresent(owner, (_, own) -> {
            if (held) {
                own.slots().release();
            }
            return own.here() == 1 ? null : own.with(-1);
        });
    }

    /** The number of owners with holders or waiters. */
    int owners() {
        return owners.size();
    }
}

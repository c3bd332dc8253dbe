package dev.parley.tools.sandbox;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Places for what runs at once. One owner never has all of them, as long as there is more than one. */
final class SandboxSlots {
    private final Semaphore all;
    private final int share;
    private final Map<UUID, Own> owners = new ConcurrentHashMap<>();

    /** @param here how many hold or want a place */
    private record Own(Semaphore places, int here) {
        Own with(int more) {
            return new Own(places, here + more);
        }
    }

    SandboxSlots(int all) {
        this.all = new Semaphore(all, true);
        this.share = Math.max(1, all - 1);
    }

    /** Waits for a place; false where there is none in this time. Whoever has one gives it back. */
    boolean acquire(UUID owner, long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        Semaphore own = come(owner);
        boolean mine = false;
        boolean placed = false;
        try {
            mine = own.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            placed = mine && all.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            return placed;
        } finally {
            if (!placed) {
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
                .places();
    }

    /** Nobody is remembered who neither holds nor wants a place. */
    private void leave(UUID owner, boolean held) {
        owners.computeIfPresent(owner, (_, own) -> {
            if (held) {
                own.places().release();
            }
            return own.here() == 1 ? null : own.with(-1);
        });
    }

    /** How many owners hold or want places. */
    int owners() {
        return owners.size();
    }
}

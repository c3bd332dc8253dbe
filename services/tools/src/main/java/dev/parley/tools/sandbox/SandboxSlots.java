package dev.parley.tools.sandbox;

import dev.parley.platform.clock.Deadline;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Concurrency slots. One owner never gets all of them, if there is more than one slot. */
final class SandboxSlots {
    private final Semaphore slots;
    private final int share;
    private final Map<UUID, OwnerSlots> owners = new ConcurrentHashMap<>();

    /** @param users the number of holders and waiters */
    private record OwnerSlots(Semaphore slots, int users) {
        OwnerSlots plus(int delta) {
            return new OwnerSlots(slots, users + delta);
        }
    }

    SandboxSlots(int count) {
        this.slots = new Semaphore(count, true);
        this.share = Math.max(1, count - 1);
    }

    /** Waits for a slot, which must be released; returns false if none becomes free in time. */
    boolean acquire(UUID owner, Deadline end) throws InterruptedException {
        Semaphore ownerSlots = enter(owner);
        boolean acquiredOwn = false;
        boolean acquired = false;
        try {
            acquiredOwn = ownerSlots.tryAcquire(end.nanosLeft(), TimeUnit.NANOSECONDS);
            acquired = acquiredOwn && slots.tryAcquire(end.nanosLeft(), TimeUnit.NANOSECONDS);
            return acquired;
        } finally {
            if (!acquired) {
                leave(owner, acquiredOwn);
            }
        }
    }

    void release(UUID owner) {
        slots.release();
        leave(owner, true);
    }

    private Semaphore enter(UUID owner) {
        return owners.compute(
                        owner,
                        (_, current) ->
                                current == null ? new OwnerSlots(new Semaphore(share, true), 1) : current.plus(1))
                .slots();
    }

    /** Removes an owner without holders and waiters. */
    private void leave(UUID owner, boolean acquiredOwn) {
        owners.computeIfPresent(owner, (_, current) -> {
            if (acquiredOwn) {
                current.slots().release();
            }
            return current.users() == 1 ? null : current.plus(-1);
        });
    }

    /** The number of owners with holders or waiters. */
    int owners() {
        return owners.size();
    }
}

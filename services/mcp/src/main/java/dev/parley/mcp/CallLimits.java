package dev.parley.mcp;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** Limits of concurrent requests: for all callers together and for each user. */
final class CallLimits {
    private final int maxOfUser;
    private final Semaphore all;
    private final Map<String, Integer> active = new ConcurrentHashMap<>();

    CallLimits(int max, int maxOfUser) {
        this.all = new Semaphore(max);
        this.maxOfUser = maxOfUser;
    }

    /** A concurrency slot of one request. */
    interface Slot extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Acquires a slot.
     *
     * @throws McpException when the limit is reached
     */
    Slot acquire(String user) {
        if (!all.tryAcquire()) {
            throw McpException.busy();
        }
        int userCount = active.merge(user, 1, Integer::sum);
        Slot slot = () -> {
            active.computeIfPresent(user, (_, count) -> count == 1 ? null : count - 1);
            all.release();
        };
        if (userCount > maxOfUser) {
            slot.close();
            throw McpException.busy();
        }
        return slot;
    }
}

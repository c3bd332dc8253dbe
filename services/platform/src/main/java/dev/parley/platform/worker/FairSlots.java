package dev.parley.platform.worker;

import java.util.HashMap;
import java.util.Map;

/**
 * Concurrency slots of a worker, limited by count and by bytes and shared fairly between projects. A project may take a
 * slot while it has fewer than {@value #SHARE} times the number of free slots: alone it gets four fifths of all, and
 * other projects still find free ones, however many calls of the first one are waiting. Source: dynamic thresholds, A.
 * K. Choudhury and E. L. Hahne, IEEE/ACM Transactions on Networking 6(2), 1998.
 *
 * <p>Thread-safe.
 */
final class FairSlots {
    private static final int SHARE = 4;

    private static final Taken NONE = new Taken();

    private final int maxCalls;
    private final long maxBytes;
    private final Taken all = new Taken();
    private final Map<String, Taken> byProject = new HashMap<>();

    private static final class Taken {
        private int calls;
        private long bytes;

        void add(int callDelta, long byteDelta) {
            calls += callDelta;
            bytes += byteDelta;
        }
    }

    FairSlots(int maxCalls, long maxBytes) {
        this.maxCalls = maxCalls;
        this.maxBytes = maxBytes;
    }

    /**
     * Takes a slot for a call; an idle worker always has one.
     *
     * @param key record key of the requester
     * @param bytes size of the request
     * @return whether a slot was free for its project
     */
    synchronized boolean take(String key, int bytes) {
        Taken taken = byProject.getOrDefault(project(key), NONE);
        if (all.calls > 0
                && (taken.calls >= (long) SHARE * (maxCalls - all.calls)
                        || taken.bytes >= SHARE * (maxBytes - all.bytes))) {
            return false;
        }
        add(key, bytes);
        return true;
    }

    /** Takes a slot beyond the limits. */
    synchronized void add(String key, int bytes) {
        all.add(1, bytes);
        byProject.computeIfAbsent(project(key), _ -> new Taken()).add(1, bytes);
    }

    /** Frees a slot. */
    synchronized void free(String key, int bytes) {
        all.add(-1, -bytes);
        byProject.computeIfPresent(project(key), (_, taken) -> {
            taken.add(-1, -bytes);
            return taken.calls == 0 ? null : taken;
        });
    }

    /** The project of a key; the key itself if it names none. */
    private static String project(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? key : key.substring(0, slash);
    }

    synchronized int calls() {
        return all.calls;
    }

    synchronized long bytes() {
        return all.bytes;
    }
}

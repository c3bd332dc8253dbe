package dev.parley.memory.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Signals between readers and the projector of one process: that a reader waits, so that batches are not delayed, and
 * which documents were processed, so that readers need not poll Postgres. Across processes both do without.
 * Thread-safe.
 */
public final class ViewSignals {
    private final Map<UUID, List<Watch>> watches = new ConcurrentHashMap<>();
    private int waiting;

    /** Watches whether documents are processed. */
    public final class Watch implements AutoCloseable {
        private final Set<UUID> documents;
        private final Semaphore read = new Semaphore(0);

        private Watch(Collection<UUID> documents) {
            this.documents = Set.copyOf(documents);
        }

        /**
         * Returns when the tables show that a chunk of a watched document was read since the last call, or on timeout.
         */
        public void await(Duration timeout) throws InterruptedException {
            if (read.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                read.drainPermits();
            }
        }

        @Override
        public void close() {
            for (UUID document : documents) {
                watches.computeIfPresent(document, (_, current) -> {
                    List<Watch> remaining =
                            current.stream().filter(other -> other != this).toList();
                    return remaining.isEmpty() ? null : remaining;
                });
            }
            change(documents.isEmpty() ? 0 : -1);
        }
    }

    /** Watches documents until closed; a watch of no documents does not count as waiting. */
    public Watch watch(Collection<UUID> documents) {
        var watch = new Watch(documents);
        for (UUID document : watch.documents) {
            watches.compute(document, (_, current) -> {
                var extended = new ArrayList<Watch>(current == null ? List.of() : current);
                extended.add(watch);
                return List.copyOf(extended);
            });
        }
        change(watch.documents.isEmpty() ? 0 : 1);
        return watch;
    }

    /** Runs work that waits for the tables. */
    public <T> T waiting(Supplier<T> work) {
        change(1);
        try {
            return work.get();
        } finally {
            change(-1);
        }
    }

    private synchronized void change(int by) {
        waiting += by;
        if (by > 0) {
            notifyAll();
        }
    }

    /** Returns when a reader waits for the tables, or on timeout. */
    synchronized void awaitSomebody(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (long remaining = timeout.toNanos();
                waiting == 0 && remaining > 0;
                remaining = deadline - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, remaining);
        }
    }

    /** Whether documents are watched. */
    boolean isWatched() {
        return !watches.isEmpty();
    }

    /** The tables show that a chunk of a document was read. */
    void read(UUID document) {
        watches.getOrDefault(document, List.of()).forEach(watch -> watch.read.release());
    }
}

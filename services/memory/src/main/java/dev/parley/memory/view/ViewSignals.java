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
 * What those who wait for the tables and the projector tell each other where they are in one process: that somebody waits, so that
 * nothing is put off, and which documents were read, so that nobody asks Postgres again and again. In several processes both do
 * without. Any thread.
 */
public final class ViewSignals {
    private final Map<UUID, List<Watch>> watches = new ConcurrentHashMap<>();
    private int waiting;

    /** Whether some documents are read. */
    public final class Watch implements AutoCloseable {
        private final Set<UUID> documents;
        private final Semaphore read = new Semaphore(0);

        private Watch(Collection<UUID> documents) {
            this.documents = Set.copyOf(documents);
        }

        /** Returns as soon as the tables show that a chunk of one of them was read since the last time, or after so long. */
        public void await(Duration most) throws InterruptedException {
            if (read.tryAcquire(most.toMillis(), TimeUnit.MILLISECONDS)) {
                read.drainPermits();
            }
        }

        @Override
        public void close() {
            for (UUID document : documents) {
                watches.computeIfPresent(document, (_, all) -> {
                    List<Watch> others =
                            all.stream().filter(other -> other != this).toList();
                    return others.isEmpty() ? null : others;
                });
            }
            change(documents.isEmpty() ? 0 : -1);
        }
    }

    /** Watches documents, until it is closed; whoever watches none does not wait. */
    public Watch watch(Collection<UUID> documents) {
        var watch = new Watch(documents);
        for (UUID document : watch.documents) {
            watches.compute(document, (_, all) -> {
                var more = new ArrayList<Watch>(all == null ? List.of() : all);
                more.add(watch);
                return List.copyOf(more);
            });
        }
        change(watch.documents.isEmpty() ? 0 : 1);
        return watch;
    }

    /** Does what waits for the tables. */
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

    /** Returns as soon as somebody waits for the tables, or after so long. */
    synchronized void awaitSomebody(Duration most) throws InterruptedException {
        long until = System.nanoTime() + most.toNanos();
        for (long left = most.toNanos(); waiting == 0 && left > 0; left = until - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    /** Whether somebody watches documents. */
    boolean isWatched() {
        return !watches.isEmpty();
    }

    /** The tables show that a chunk of a document was read. */
    void read(UUID document) {
        watches.getOrDefault(document, List.of()).forEach(watch -> watch.read.release());
    }
}

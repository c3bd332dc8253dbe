package dev.parley.memory.bank;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.index.BankMemory;
import dev.parley.memory.search.Index;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The open banks of one partition: memory and index of each. One thread writes; recalls read the indexes. A bank is
 * loaded from its events on first use and answers nothing until it is complete. A large one, or one that the writer has
 * no time for, is loaded on another thread; its inputs wait meanwhile, so its events do not change. Unused banks are
 * evicted, and loaded again on use.
 */
final class PartitionBanks implements AutoCloseable {
    /** Events read from the store at once; others use the store, too. */
    private static final long STEP = 500;

    /** Events that the writer applies between checks of the time; a document may have a megabyte. */
    private static final long WRITER_STEP = 20;

    /** Pause before a bank that could not be loaded is loaded again. */
    private static final Duration RELOAD_PAUSE = Duration.ofMinutes(1);

    private final Banks banks;
    /** Time left for the writer to load banks in this transaction, in nanoseconds. */
    private long time;

    private final Map<RecordKey, OpenBank> open = new ConcurrentHashMap<>();
    private final Map<RecordKey, Filling> filling = new HashMap<>();
    /** Banks that could not be loaded. */
    private final Map<RecordKey, Unloadable> unloadable = new HashMap<>();
    /** When the writer last confirmed that it owns the partition, see {@link System#nanoTime}. */
    private volatile long owned = System.nanoTime();

    PartitionBanks(Banks banks) {
        this.banks = banks;
        time = banks.limits().fillBudget().toNanos();
    }

    /** @param retryAt see {@link System#nanoTime} */
    private record Unloadable(Throwable cause, long retryAt) {}

    /** Starts a transaction: resets the time for loading banks. */
    void beginTransaction() {
        time = banks.limits().fillBudget().toNanos();
    }

    /** An open bank: its memory and its index. */
    static final class OpenBank {
        private final BankMemory memory;
        private final Indexing indexing;
        private final Index index;
        private volatile long used = System.nanoTime();
        private volatile int size;
        private volatile long known;

        /** @param last sequence number of its newest event, which is still to be {@linkplain #apply applied} */
        OpenBank(BankMemory memory, Index index, long last) {
            known = last;
            this.memory = memory;
            this.indexing = new Indexing(index, memory);
            this.index = index;
        }

        BankMemory memory() {
            return memory;
        }

        Indexing indexing() {
            return indexing;
        }

        Index index() {
            return index;
        }

        /** When it was last used, see {@link System#nanoTime}. */
        long lastUsed() {
            return used;
        }

        /** Sequence number of the newest event in it. */
        long newestSeq() {
            return known;
        }

        /** Number of items in it. */
        int size() {
            return size;
        }

        /** Applies events: readers see all of them, or none. */
        void apply(List<MemoryEvent> events) {
            index.write(() -> events.forEach(this::apply));
            size = index.size();
            if (!events.isEmpty()) {
                known = Math.max(known, events.getLast().meta().seq());
            }
        }

        private void apply(MemoryEvent event) {
            indexing.apply(event); // first, as it reads the memory of erased content
            memory.apply(event);
        }
    }

    /** Access to the events of a bank. Any thread. */
    interface Events {
        /** Passes on the events from one number up to before another, in order. */
        void each(long from, long to, Consumer<MemoryEvent> consumer);

        MemoryEvent get(long number);
    }

    /** A bank that is loading on another thread, until it is {@linkplain #cancel cancelled}. */
    private final class Filling {
        private final OpenBank bank;
        private final CompletableFuture<Void> done;
        private volatile boolean cancelled;

        Filling(OpenBank bank, Events events, long from, long last) {
            this.bank = bank;
            done = CompletableFuture.runAsync(
                    () -> fill(bank, events, from, last, STEP, () -> !cancelled), banks.filling());
        }

        /** Stops loading; the index is closed after the last write. */
        void cancel() {
            cancelled = true;
            var _ = done.whenComplete((_, _) -> bank.index().close());
        }
    }

    /**
     * The bank with this key; empty while it is loading.
     *
     * @param last sequence number of its newest event
     * @throws IllegalStateException if it could not be loaded; it is loaded again after {@link #RELOAD_PAUSE}
     */
    Optional<OpenBank> open(RecordKey key, long last, Events events) {
        OpenBank opened = open.get(key);
        if (opened != null) {
            opened.used = System.nanoTime();
            return Optional.of(opened);
        }
        if (filling.containsKey(key)) {
            return Optional.empty();
        }
        Unloadable failed = unloadable.get(key);
        if (failed != null && failed.retryAt() - System.nanoTime() > 0) {
            throw unloadable(key, failed.cause());
        }
        unloadable.remove(key);
        var bank = new OpenBank(new BankMemory(events::get), banks.indexes().open(), last);
        long next;
        try {
            next = last > banks.limits().largeBankEvents() ? 1 : fillInTime(bank, events, last);
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            setUnloadable(key, e);
            throw unloadable(key, e);
        }
        if (next <= last) {
            filling.put(key, new Filling(bank, events, next, last));
            return Optional.empty();
        }
        open.put(key, bank);
        return Optional.of(bank);
    }

    private void setUnloadable(RecordKey key, Throwable cause) {
        unloadable.put(key, new Unloadable(cause, System.nanoTime() + RELOAD_PAUSE.toNanos()));
    }

    private static IllegalStateException unloadable(RecordKey key, Throwable cause) {
        return new IllegalStateException("the bank " + key + " cannot be loaded", cause);
    }

    /** Closes a bank to which an event was not applied completely; it is loaded again on use. */
    void discard(RecordKey key) {
        OpenBank bank = open.remove(key);
        if (bank != null) {
            bank.index().close();
        }
    }

    /**
     * Loads it while there is time.
     *
     * @return number of the first event that was not loaded
     */
    private long fillInTime(OpenBank bank, Events events, long last) {
        long start = System.nanoTime();
        try {
            return fill(bank, events, 1, last, WRITER_STEP, () -> System.nanoTime() - start < time);
        } catch (RuntimeException | Error e) {
            bank.index().close();
            throw e;
        } finally {
            time -= System.nanoTime() - start;
        }
    }

    /** @param from sequence number of an event; they count from 1 */
    private static long fill(
            OpenBank bank, Events events, long from, long last, long step, BooleanSupplier mayContinue) {
        long next = from;
        while (next <= last && mayContinue.getAsBoolean()) {
            var batch = new ArrayList<MemoryEvent>();
            events.each(next, next + step, batch::add);
            bank.apply(batch);
            next += step;
        }
        return next;
    }

    /** Opens the banks that have been loaded on other threads, and remembers those that could not. */
    void openFilled() {
        for (Iterator<Map.Entry<RecordKey, Filling>> iterator =
                        filling.entrySet().iterator();
                iterator.hasNext(); ) {
            Map.Entry<RecordKey, Filling> entry = iterator.next();
            Filling loading = entry.getValue();
            if (loading.done.isDone()) {
                iterator.remove();
                try {
                    loading.done.join();
                } catch (CompletionException e) {
                    loading.cancel();
                    setUnloadable(entry.getKey(), Objects.requireNonNullElse(e.getCause(), e));
                    continue;
                }
                loading.bank.used = System.nanoTime();
                open.put(entry.getKey(), loading.bank);
            }
        }
    }

    /** Whether another thread reads the events of a bank. */
    boolean isFilling(RecordKey key) {
        return filling.containsKey(key);
    }

    /** Evicts unused and surplus banks. */
    void evict() {
        Set<OpenBank> surplus = banks.surplus(System.nanoTime());
        open.values().removeIf(bank -> {
            boolean isSurplus = surplus.contains(bank);
            if (isSurplus) {
                bank.index().close();
            }
            return isSurplus;
        });
    }

    /** The index of an empty bank. */
    Index emptyIndex() {
        return banks.indexes().of("");
    }

    /** Confirms that the writer owns the partition now. */
    void confirmOwnership() {
        owned = System.nanoTime();
    }

    /**
     * An open bank that may answer: the writer confirmed its ownership recently. Any thread.
     *
     * @param now see {@link System#nanoTime}
     */
    Optional<OpenBank> searchable(RecordKey key, long now) {
        OpenBank bank = now - owned < Banks.Limits.OWNERSHIP_TIMEOUT.toNanos() ? open.get(key) : null;
        if (bank != null) {
            bank.used = now;
        }
        return Optional.ofNullable(bank);
    }

    /** The index of an open bank. Any thread. */
    Optional<Index> index(RecordKey key) {
        return Optional.ofNullable(open.get(key)).map(OpenBank::index);
    }

    /** The open banks. Any thread. */
    Stream<OpenBank> banks() {
        return open.values().stream();
    }

    /** Closes all banks. */
    @Override
    public void close() {
        banks.remove(this);
        filling.values().forEach(Filling::cancel);
        filling.clear();
        open.values().forEach(bank -> bank.index().close());
        open.clear();
    }
}

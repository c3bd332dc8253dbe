package dev.parley.memory.bank;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.BankMemory;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.memory.search.Index;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The banks of one partition, as far as they are open: what each knows, and its index. One thread writes; whoever recalls reads the
 * indexes. A bank is filled from its events when it is first needed, and answers nothing before it is whole; a large one, and one
 * that the writer has no time for, is filled on another thread, and until then nothing may happen to it, so that its events are the
 * same all the time. Banks that nobody uses are put away, and filled anew when they are needed.
 */
final class PartitionBanks implements AutoCloseable {
    /** Events that are read from the store at once: others read and write there, too. */
    private static final long STEP = 500;

    /** Events that the writer takes in before it looks at the clock; a document may be a megabyte. */
    private static final long WRITER_STEP = 20;

    private final Banks banks;
    /** How long the writer may go on to fill banks in this transaction, in nanoseconds. */
    private long time;

    private final Map<RecordKey, OpenBank> open = new ConcurrentHashMap<>();
    private final Map<RecordKey, Filling> filling = new HashMap<>();
    /** When the writer last said that it has the partition, as {@link System#nanoTime} has it. */
    private volatile long owned = System.nanoTime();

    PartitionBanks(Banks banks) {
        this.banks = banks;
        time = banks.limits().filling().toNanos();
    }

    /** A transaction begins: the writer has time again to fill banks. */
    void begin() {
        time = banks.limits().filling().toNanos();
    }

    /** A bank that is open: what it knows, and how it is found. */
    static final class OpenBank {
        private final BankMemory memory;
        private final Indexing indexing;
        private final Index index;
        private volatile long used = System.nanoTime();
        private volatile int size;
        private volatile long known;

        /** @param last number of the newest of its events, which are still to be {@linkplain #apply applied} */
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

        /** When it was last needed, as {@link System#nanoTime} has it. */
        long used() {
            return used;
        }

        /** Number of the newest event that is in it. */
        long known() {
            return known;
        }

        /** How many things are in it. */
        int size() {
            return size;
        }

        /** Takes in what happened: whoever asks sees all of it, or nothing. */
        void apply(List<MemoryEvent> events) {
            index.write(() -> events.forEach(this::apply));
            size = index.size();
            if (!events.isEmpty()) {
                known = Math.max(known, events.getLast().meta().seq());
            }
        }

        private void apply(MemoryEvent event) {
            indexing.apply(event); // first, as it asks what is known of what is forgotten
            memory.apply(event);
        }
    }

    /** Where the events of a bank are. Any thread. */
    interface Events {
        /** Shows those from one number to before another, in their order. */
        void each(long from, long to, Consumer<MemoryEvent> show);

        MemoryEvent get(long number);
    }

    /** A bank that is being filled on another thread, until it is {@linkplain #cut}. */
    private final class Filling {
        private final OpenBank bank;
        private final CompletableFuture<Void> done;
        private volatile boolean cut;

        Filling(OpenBank bank, Events events, long from, long last) {
            this.bank = bank;
            done = CompletableFuture.runAsync(() -> fill(bank, events, from, last, STEP, () -> !cut), banks.filling());
        }

        /** Its index goes, as soon as nobody writes it. */
        void cut() {
            cut = true;
            var _ = done.whenComplete((_, _) -> bank.index().close());
        }
    }

    /**
     * The bank of this key; empty as long as it is being filled.
     *
     * @param last number of its newest event
     */
    Optional<OpenBank> open(RecordKey key, long last, Events events) {
        OpenBank there = open.get(key);
        if (there != null) {
            there.used = System.nanoTime();
            return Optional.of(there);
        }
        if (filling.containsKey(key)) {
            return Optional.empty();
        }
        var bank = new OpenBank(new BankMemory(events::get), banks.indexes().open(), last);
        long next = last > banks.limits().large() ? 1 : fillInTime(bank, events, last);
        if (next <= last) {
            filling.put(key, new Filling(bank, events, next, last));
            return Optional.empty();
        }
        open.put(key, bank);
        return Optional.of(bank);
    }

    /** Fills it as long as there is time. @return the number of the first event that it does not have yet */
    private long fillInTime(OpenBank bank, Events events, long last) {
        long begin = System.nanoTime();
        try {
            return fill(bank, events, 1, last, WRITER_STEP, () -> System.nanoTime() - begin < time);
        } catch (RuntimeException e) {
            bank.index().close();
            throw e;
        } finally {
            time -= System.nanoTime() - begin;
        }
    }

    /** @param from the number of an event; they count from 1 */
    private static long fill(OpenBank bank, Events events, long from, long last, long step, BooleanSupplier goesOn) {
        long next = from;
        while (next <= last && goesOn.getAsBoolean()) {
            var some = new ArrayList<MemoryEvent>();
            events.each(next, next + step, some::add);
            bank.apply(some);
            next += step;
        }
        return next;
    }

    /**
     * Opens the banks that have been filled on other threads since.
     *
     * @throws IllegalStateException where one could not be filled
     */
    void openFilled() {
        for (Iterator<Map.Entry<RecordKey, Filling>> all = filling.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<RecordKey, Filling> entry = all.next();
            Filling its = entry.getValue();
            if (its.done.isDone()) {
                all.remove();
                try {
                    its.done.join();
                } catch (CompletionException e) {
                    its.cut();
                    throw new IllegalStateException(
                            "the bank " + entry.getKey() + " could not be filled", e.getCause());
                }
                its.bank.used = System.nanoTime();
                open.put(entry.getKey(), its.bank);
            }
        }
    }

    /** Whether another thread reads the events of a bank. */
    boolean isFilling(RecordKey key) {
        return filling.containsKey(key);
    }

    /** Puts the banks away that nobody needs now, and of which others have more need of the room. */
    void tidy() {
        Set<OpenBank> surplus = banks.surplus(System.nanoTime());
        open.values().removeIf(bank -> {
            boolean goes = surplus.contains(bank);
            if (goes) {
                bank.index().close();
            }
            return goes;
        });
    }

    /** The index of a bank that knows nothing. */
    Index nothing() {
        return banks.indexes().of("");
    }

    /** The writer has the partition at this moment. */
    void owns() {
        owned = System.nanoTime();
    }

    /**
     * A bank that is open and may answer: the writer has had the partition a moment ago. Any thread.
     *
     * @param now as {@link System#nanoTime} has it
     */
    Optional<OpenBank> answering(RecordKey key, long now) {
        OpenBank bank = now - owned < banks.limits().owned().toNanos() ? open.get(key) : null;
        if (bank != null) {
            bank.used = now;
        }
        return Optional.ofNullable(bank);
    }

    /** The index of a bank that is open. Any thread. */
    Optional<Index> index(RecordKey key) {
        return Optional.ofNullable(open.get(key)).map(OpenBank::index);
    }

    /** The banks that are open. Any thread. */
    Stream<OpenBank> banks() {
        return open.values().stream();
    }

    /** Puts all banks away. */
    @Override
    public void close() {
        banks.remove(this);
        filling.values().forEach(Filling::cut);
        filling.clear();
        open.values().forEach(bank -> bank.index().close());
        open.clear();
    }
}

package dev.parley.memory.bank;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.BankMemory;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Indexes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * The banks of one partition, as far as they have been opened: what each knows, and its index. One thread writes; whoever recalls
 * reads the indexes. A bank is filled from its events when it is first needed, and answers nothing before it is whole.
 */
final class Shelf implements AutoCloseable {
    private final Indexes indexes;
    private final Consumer<Shelf> onClose;
    private final Map<RecordKey, OpenBank> writing = new HashMap<>();
    private final Map<RecordKey, Index> readable = new ConcurrentHashMap<>();

    Shelf(Indexes indexes, Consumer<Shelf> onClose) {
        this.indexes = indexes;
        this.onClose = onClose;
    }

    /** A bank that is open: what it knows, and how it is found. */
    record OpenBank(BankMemory memory, Indexing indexing, Index index) {
        void apply(MemoryEvent event) {
            indexing.apply(event); // first, as it asks what is known of what is forgotten
            memory.apply(event);
        }
    }

    /** Where the events of a bank are. */
    interface Events {
        void each(Consumer<MemoryEvent> to);

        MemoryEvent get(long number);
    }

    /** The bank of this key; it is filled first where it was not open. */
    OpenBank open(RecordKey key, Events events) {
        OpenBank there = writing.get(key);
        return there == null ? fill(key, events) : there;
    }

    private OpenBank fill(RecordKey key, Events events) {
        LongFunction<MemoryEvent> get = events::get;
        var memory = new BankMemory(get);
        indexes.drop(key.toString()); // what was written by a transaction that came to nothing
        Index index = indexes.of(key.toString());
        var bank = new OpenBank(memory, new Indexing(index, memory), index);
        events.each(bank::apply);
        writing.put(key, bank);
        readable.put(key, index);
        return bank;
    }

    /** The index of a bank that knows nothing. */
    Index nothing() {
        return indexes.of("");
    }

    /** The index of a bank that is open. Any thread. */
    Optional<Index> index(RecordKey key) {
        return Optional.ofNullable(readable.get(key));
    }

    /** Puts all banks away. */
    @Override
    public void close() {
        onClose.accept(this);
        readable.clear();
        writing.keySet().forEach(key -> indexes.drop(key.toString()));
        writing.clear();
    }
}

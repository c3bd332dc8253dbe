package dev.parley.memory.bank;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.BankState.Waiting;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.streams.KeyedStore;
import dev.parley.platform.streams.RememberedOutcomes;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/** What the memory topology keeps: a header a bank, its events that were not erased, and the chunks that wait to be read. */
final class MemoryStore {
    static final String NAME = "memory-store";

    private static final char BANK = 's';
    /** Then the event's number. */
    private static final char EVENT = 'v';
    /** Then the chunk's number. */
    private static final char WAITING = 'w';

    private static final RecordSerde<BankState> BANKS = RecordSerde.of(BankState.class);
    private static final RecordSerde<MemoryEvent> EVENTS = RecordSerde.of(MemoryEvent.class);
    private static final RecordSerde<Waiting> WAITINGS = RecordSerde.of(Waiting.class);

    private final KeyedStore store;
    private final RememberedOutcomes outcomes;

    MemoryStore(ProcessorContext<byte[], byte[]> context) {
        store = new KeyedStore(context, NAME);
        outcomes = new RememberedOutcomes(store);
    }

    BankState bank(RecordKey key) {
        BankState state = store.get(BANKS, BANK, key);
        return state == null ? BankState.initial(key) : state;
    }

    void keep(BankState state) {
        store.put(BANKS, state, BANK, state.key());
    }

    /** Shows every bank, as after a restart. */
    void eachBank(Consumer<BankState> to) {
        store.each(BANKS, BANK, to);
    }

    void keep(RecordKey key, MemoryEvent event) {
        store.put(EVENTS, event, EVENT, key, event.meta().seq());
    }

    void erase(RecordKey key, long event) {
        store.delete(EVENT, key, event);
    }

    /** An event that was not erased; that it is not there would be a defect, and fails. */
    MemoryEvent event(RecordKey key, long number) {
        MemoryEvent event = store.get(EVENTS, EVENT, key, number);
        if (event == null) {
            throw new IllegalStateException("the bank %s has no event %d".formatted(key, number));
        }
        return event;
    }

    /** Events of a bank from a number on that were not erased, in their order. */
    List<MemoryEvent> events(RecordKey key, long from, int most) {
        return store.some(EVENTS, EVENT, key, from, most);
    }

    /** Shows the events of a bank in their order. */
    void eachEvent(RecordKey key, Consumer<MemoryEvent> to) {
        store.each(EVENTS, EVENT, key, 0, Long.MAX_VALUE, (_, event) -> to.accept(event));
    }

    void keep(RecordKey key, long number, Waiting waiting) {
        store.put(WAITINGS, waiting, WAITING, key, number);
    }

    void taken(RecordKey key, long number) {
        store.delete(WAITING, key, number);
    }

    Optional<Waiting> waiting(RecordKey key, long number) {
        return Optional.ofNullable(store.get(WAITINGS, WAITING, key, number));
    }

    /** What became of commands. */
    RememberedOutcomes outcomes() {
        return outcomes;
    }
}

package dev.parley.memory.bank;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.BankState.Waiting;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.protocol.CallResult;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.streams.KeyedStore;
import dev.parley.platform.streams.KeyedStore.Row;
import dev.parley.platform.streams.RememberedOutcomes;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * State store of the memory topology: the state of each bank, its events except erased ones, chunks waiting to be read,
 * inputs waiting for a bank to load, and numbers of events still to be erased.
 */
final class MemoryStore {
    static final String NAME = "memory-store";

    private static final char BANK = 's';
    /** Followed by the sequence number. */
    private static final char EVENT = 'v';
    /** Followed by the number of the chunk. */
    private static final char WAITING = 'w';
    /** Followed by the number of the input; commands and results share one sequence. */
    private static final char PARKED_COMMAND = 'c';

    private static final char PARKED_RESULT = 'r';
    /** The id of a call with an unusable result, as two numbers. */
    private static final char PARKED_UNUSABLE = 'u';

    /** Followed by the number of the portion. */
    private static final char ERASING = 'e';

    private static final RecordSerde<BankState> BANKS = RecordSerde.of(BankState.class);
    private static final RecordSerde<MemoryEvent> EVENTS = RecordSerde.of(MemoryEvent.class);
    private static final RecordSerde<Waiting> WAITINGS = RecordSerde.of(Waiting.class);
    private static final RecordSerde<MemoryCommand> COMMANDS = RecordSerde.of(MemoryCommand.class);
    private static final RecordSerde<CallResult> RESULTS = RecordSerde.of(CallResult.class);

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

    /** Encodes the state of a bank, and returns the action that stores it. */
    Runnable prepare(BankState state) {
        return store.prepare(BANKS, state, BANK, state.key());
    }

    /** Passes all stored banks to the consumer, after a restart; of those that cannot be read key and bytes. */
    void eachBank(Consumer<BankState> to, BiConsumer<byte[], byte[]> unreadable) {
        store.eachRow(BANKS, BANK, row -> {
            BankState state = row.value();
            if (state == null) {
                unreadable.accept(row.key(), row.bytes());
            } else {
                to.accept(state);
            }
        });
    }

    /** Encodes an event, and returns the action that stores it. */
    Runnable prepare(RecordKey key, MemoryEvent event) {
        return store.prepare(EVENTS, event, EVENT, key, event.meta().seq());
    }

    /** Throws the failure of the store, if it has failed. */
    void throwIfFailed() {
        store.throwIfFailed();
    }

    void erase(RecordKey key, long event) {
        store.delete(EVENT, key, event);
    }

    /**
     * An event that was not erased.
     *
     * @throws IllegalStateException where it is missing, which is a bug
     */
    MemoryEvent event(RecordKey key, long number) {
        MemoryEvent event = store.get(EVENTS, EVENT, key, number);
        if (event == null) {
            throw new IllegalStateException("the bank %s has no event %d".formatted(key, number));
        }
        return event;
    }

    /** Passes events of a bank on, in order, from one number to before another. Any thread. */
    void eachEvent(RecordKey key, long from, long to, Consumer<MemoryEvent> consumer) {
        store.each(EVENTS, EVENT, key, from, to, (_, event) -> consumer.accept(event));
    }

    /** Stores a portion of the numbers of events to be erased. */
    void putErasing(RecordKey key, long portion, List<Long> events) {
        store.put(events, ERASING, key, portion);
    }

    List<Long> erasing(RecordKey key, long portion) {
        return store.numbers(ERASING, key, portion);
    }

    void removeErasing(RecordKey key, long portion) {
        store.delete(ERASING, key, portion);
    }

    /** Passes the bank and number of each portion of events to be erased to the consumer. */
    void eachErasing(BiConsumer<RecordKey, Long> to) {
        store.eachKey(ERASING, to);
    }

    /** Events of a bank from a number on, in order, without erased ones. */
    List<MemoryEvent> events(RecordKey key, long from, int limit) {
        return store.readRange(EVENTS, EVENT, key, from, limit);
    }

    /** Encodes a chunk, and returns the action that queues it. */
    Runnable prepare(RecordKey key, long number, Waiting waiting) {
        return store.prepare(WAITINGS, waiting, WAITING, key, number);
    }

    void dequeue(RecordKey key, long number) {
        store.delete(WAITING, key, number);
    }

    Optional<Waiting> waiting(RecordKey key, long number) {
        return Optional.ofNullable(store.get(WAITINGS, WAITING, key, number));
    }

    /** Stores an input until its bank is loaded. */
    void park(RecordKey key, long number, MemoryInput input) {
        switch (input) {
            case MemoryCommand command -> store.put(COMMANDS, command, PARKED_COMMAND, key, number);
            case MemoryInput.Answered answered -> store.put(RESULTS, answered.result(), PARKED_RESULT, key, number);
            case MemoryInput.Unusable(UUID callId) ->
                store.put(
                        List.of(callId.getMostSignificantBits(), callId.getLeastSignificantBits()),
                        PARKED_UNUSABLE,
                        key,
                        number);
            case MemoryInput.Tick _ -> throw new IllegalArgumentException("timers do not wait");
        }
    }

    /**
     * Removes and returns an input; empty if it cannot be read.
     *
     * @param unreadable is given key and bytes of a row
     * @throws IllegalStateException where it is missing, which is a bug
     */
    Optional<MemoryInput> unpark(RecordKey key, long number, BiConsumer<byte[], byte[]> unreadable) {
        List<Long> callId = store.numbers(PARKED_UNUSABLE, key, number);
        if (!callId.isEmpty()) {
            store.delete(PARKED_UNUSABLE, key, number);
            return Optional.of(new MemoryInput.Unusable(new UUID(callId.getFirst(), callId.getLast())));
        }
        List<Row<MemoryCommand>> commands = store.rows(COMMANDS, PARKED_COMMAND, key, number, number + 1);
        if (!commands.isEmpty()) {
            store.delete(PARKED_COMMAND, key, number);
            return value(commands.getFirst(), unreadable).map(MemoryInput.class::cast);
        }
        List<Row<CallResult>> results = store.rows(RESULTS, PARKED_RESULT, key, number, number + 1);
        if (results.isEmpty()) {
            throw new IllegalStateException("the bank %s has no waiting input %d".formatted(key, number));
        }
        store.delete(PARKED_RESULT, key, number);
        return value(results.getFirst(), unreadable).map(MemoryInput.Answered::new);
    }

    private static <T> Optional<T> value(Row<T> row, BiConsumer<byte[], byte[]> unreadable) {
        T value = row.value();
        if (value == null) {
            unreadable.accept(row.key(), row.bytes());
        }
        return Optional.ofNullable(value);
    }

    /** Passes the bank and number of each waiting input to the consumer. */
    void eachParked(BiConsumer<RecordKey, Long> to) {
        store.eachKey(PARKED_COMMAND, to);
        store.eachKey(PARKED_RESULT, to);
        store.eachKey(PARKED_UNUSABLE, to);
    }

    /** Outcomes of commands. */
    RememberedOutcomes outcomes() {
        return outcomes;
    }
}

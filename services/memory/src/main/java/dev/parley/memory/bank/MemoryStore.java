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
import dev.parley.platform.streams.RememberedOutcomes;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * What the memory topology keeps: a header a bank, its events that were not erased, the chunks that wait to be read, inputs that
 * wait until a bank is filled, and the numbers of events that are still to be erased.
 */
final class MemoryStore {
    static final String NAME = "memory-store";

    private static final char BANK = 's';
    /** Then the event's number. */
    private static final char EVENT = 'v';
    /** Then the chunk's number. */
    private static final char WAITING = 'w';
    /** Then the input's number: commands and results are numbered together. */
    private static final char PARKED_COMMAND = 'c';

    private static final char PARKED_RESULT = 'r';

    /** Then the number of the portion. */
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

    /** An event that was not erased; that it is not there would be a defect, and fails. Any thread. */
    MemoryEvent event(RecordKey key, long number) {
        MemoryEvent event = store.get(EVENTS, EVENT, key, number);
        if (event == null) {
            throw new IllegalStateException("the bank %s has no event %d".formatted(key, number));
        }
        return event;
    }

    /** Shows the events of a bank in their order, from one number to before another. Any thread. */
    void eachEvent(RecordKey key, long from, long to, Consumer<MemoryEvent> show) {
        store.each(EVENTS, EVENT, key, from, to, (_, event) -> show.accept(event));
    }

    /** Keeps a portion of the events that are to be erased. */
    void keepErasing(RecordKey key, long portion, List<Long> events) {
        store.put(events, ERASING, key, portion);
    }

    List<Long> erasing(RecordKey key, long portion) {
        return store.numbers(ERASING, key, portion);
    }

    void erased(RecordKey key, long portion) {
        store.delete(ERASING, key, portion);
    }

    /** Shows the bank and the number of each portion of events that are to be erased. */
    void eachErasing(BiConsumer<RecordKey, Long> to) {
        store.eachKey(ERASING, to);
    }

    /** Events of a bank from a number on that were not erased, in their order. */
    List<MemoryEvent> events(RecordKey key, long from, int most) {
        return store.some(EVENTS, EVENT, key, from, most);
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

    /** Keeps an input until its bank is filled. */
    void park(RecordKey key, long number, MemoryInput input) {
        switch (input) {
            case MemoryCommand command -> store.put(COMMANDS, command, PARKED_COMMAND, key, number);
            case MemoryInput.Answered answered -> store.put(RESULTS, answered.result(), PARKED_RESULT, key, number);
            case MemoryInput.Unusable _, MemoryInput.Tick _ ->
                throw new IllegalArgumentException("only what comes from topics is kept");
        }
    }

    /** Takes an input out. */
    MemoryInput unpark(RecordKey key, long number) {
        MemoryCommand command = store.get(COMMANDS, PARKED_COMMAND, key, number);
        if (command != null) {
            store.delete(PARKED_COMMAND, key, number);
            return command;
        }
        CallResult result = store.get(RESULTS, PARKED_RESULT, key, number);
        if (result == null) {
            throw new IllegalStateException("nothing waits for the bank %s as %d".formatted(key, number));
        }
        store.delete(PARKED_RESULT, key, number);
        return new MemoryInput.Answered(result);
    }

    /** Shows the bank and the number of each input that waits. */
    void eachParked(BiConsumer<RecordKey, Long> to) {
        store.eachKey(PARKED_COMMAND, to);
        store.eachKey(PARKED_RESULT, to);
    }

    /** What became of commands. */
    RememberedOutcomes outcomes() {
        return outcomes;
    }
}

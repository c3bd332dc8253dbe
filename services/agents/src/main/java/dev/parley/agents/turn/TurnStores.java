package dev.parley.agents.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.turn.Entry;
import dev.parley.domain.turn.Outcome;
import dev.parley.domain.turn.SessionState;
import dev.parley.platform.serde.RecordSerde;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;

/** The stores of the turn topology: a header a session, an entry a message, the outcomes of the last week, and timers. */
final class TurnStores {
    static final String SESSIONS = "session-store";
    private static final String ENTRIES = "entry-store";
    private static final String OUTCOMES = "outcome-store";
    private static final String TIMERS = "timer-store";

    /** For how long a duplicate of a command is known as one. */
    static final Duration REMEMBERED = Duration.ofDays(7);

    private static final byte[] NOTHING = {};

    private final KeyValueStore<String, SessionState> sessions;
    private final KeyValueStore<Bytes, Entry> entries;
    private final WindowStore<String, Outcome> outcomes;
    private final KeyValueStore<Bytes, byte[]> timers;
    private Instant fired = Instant.EPOCH;

    TurnStores(ProcessorContext<byte[], byte[]> context) {
        sessions = context.getStateStore(SESSIONS);
        entries = context.getStateStore(ENTRIES);
        outcomes = context.getStateStore(OUTCOMES);
        timers = context.getStateStore(TIMERS);
    }

    static List<StoreBuilder<?>> builders() {
        return List.of(
                Stores.keyValueStoreBuilder(
                        Stores.persistentKeyValueStore(SESSIONS), Serdes.String(), RecordSerde.inStore(SessionState.class)),
                Stores.keyValueStoreBuilder(
                        Stores.persistentKeyValueStore(ENTRIES), Serdes.Bytes(), RecordSerde.inStore(Entry.class)),
                Stores.windowStoreBuilder(
                        Stores.persistentWindowStore(OUTCOMES, REMEMBERED, Duration.ofMillis(1), false),
                        Serdes.String(),
                        RecordSerde.inStore(Outcome.class)),
                Stores.keyValueStoreBuilder(
                        Stores.persistentKeyValueStore(TIMERS), Serdes.Bytes(), Serdes.ByteArray()));
    }

    SessionState session(RecordKey key) {
        SessionState state = sessions.get(key.toString());
        return state == null ? SessionState.initial(key) : state;
    }

    void keep(SessionState state) {
        sessions.put(state.key().toString(), state);
    }

    void keep(RecordKey key, long index, Entry entry) {
        entries.put(entryKey(key, index), entry);
    }

    void forget(RecordKey key, long from, long to) {
        for (long index = from; index < to; index++) {
            entries.delete(entryKey(key, index));
        }
    }

    /** The entries from {@code from} to before {@code to}; one that is missing would be a defect, and fails. */
    List<Entry> entries(RecordKey key, long from, long to) {
        var found = new ArrayList<Entry>();
        if (from < to) {
            try (KeyValueIterator<Bytes, Entry> range = entries.range(entryKey(key, from), entryKey(key, to - 1))) {
                range.forEachRemaining(entry -> found.add(entry.value));
            }
        }
        if (found.size() != to - from) {
            throw new IllegalStateException("%s has %d of the entries %d to %d".formatted(key, found.size(), from, to));
        }
        return found;
    }

    private static Bytes entryKey(RecordKey key, long index) {
        byte[] name = key.toString().getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(ByteBuffer.allocate(name.length + 1 + Long.BYTES)
                .put(name)
                .put((byte) 0)
                .putLong(index)
                .array());
    }

    Optional<Outcome> outcome(RecordKey key, UUID commandId, Instant now) {
        try (var found = outcomes.backwardFetch(outcomeKey(key, commandId), now.minus(REMEMBERED), now.plus(REMEMBERED))) {
            return found.hasNext() ? Optional.of(found.next().value) : Optional.empty();
        }
    }

    void remember(RecordKey key, UUID commandId, Outcome outcome, Instant now) {
        outcomes.put(outcomeKey(key, commandId), outcome, now.toEpochMilli());
    }

    private static String outcomeKey(RecordKey key, UUID commandId) {
        return key + "#" + commandId;
    }

    void arm(RecordKey key, Instant due) {
        timers.put(timerKey(due.toEpochMilli(), key.toString()), NOTHING);
    }

    /** Takes out at most {@code most} sessions whose timer is due. */
    List<RecordKey> takeDue(Instant now, int most) {
        var due = new ArrayList<Bytes>();
        // What fired before lies behind as tombstones: the scan begins after it.
        Bytes from = timerKey(fired.toEpochMilli(), "");
        try (var range = timers.range(from, timerKey(now.toEpochMilli() + 1, ""))) {
            while (range.hasNext() && due.size() < most) {
                due.add(range.next().key);
            }
        }
        due.forEach(timers::delete);
        fired = due.size() < most ? now : Instant.ofEpochMilli(ByteBuffer.wrap(due.getLast().get()).getLong());
        return due.stream().map(TurnStores::keyOf).toList();
    }

    private static Bytes timerKey(long millis, String key) {
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(
                ByteBuffer.allocate(Long.BYTES + name.length).putLong(millis).put(name).array());
    }

    private static RecordKey keyOf(Bytes timer) {
        byte[] bytes = timer.get();
        return RecordKey.parse(new String(bytes, Long.BYTES, bytes.length - Long.BYTES, StandardCharsets.UTF_8));
    }
}

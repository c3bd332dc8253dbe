package dev.parley.agents.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.turn.Entry;
import dev.parley.domain.turn.Outcome;
import dev.parley.domain.turn.SessionState;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.serde.RecordSerde;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * What the turn topology keeps: a header a session, an entry a message, and the outcomes of the last week. They stand in
 * one store, each under a key that begins with its {@link Kind}: every store more is one changelog more in each
 * transaction, and those are most of what a step costs.
 */
final class TurnStore {
    static final String NAME = "turn-store";

    /** For how long a duplicate of a command is known as one. */
    static final Duration REMEMBERED = Duration.ofDays(7);

    /** The first byte of a key, then the session's record key, then what tells rows of one session apart. */
    private enum Kind {
        SESSION('s'),
        /** Then 0 and the index, eight bytes. */
        ENTRY('e'),
        /** Then 0 and the command's id. The value begins with the time of writing, eight bytes of milliseconds. */
        OUTCOME('o');

        private final byte prefix;

        Kind(char prefix) {
            this.prefix = (byte) prefix;
        }

        /** Before all keys of this kind. */
        Bytes first() {
            return Bytes.wrap(new byte[] {prefix});
        }

        /** After all keys of this kind. */
        Bytes end() {
            return Bytes.wrap(new byte[] {(byte) (prefix + 1)});
        }
    }

    private static final RecordSerde<SessionState> SESSION = RecordSerde.of(SessionState.class);
    private static final RecordSerde<Entry> ENTRY = RecordSerde.of(Entry.class);
    private static final RecordSerde<Outcome> OUTCOME = RecordSerde.of(Outcome.class);

    private final KeyValueStore<Bytes, byte[]> store;
    /** Where the search for old outcomes goes on. */
    private Bytes next = Kind.OUTCOME.first();

    TurnStore(ProcessorContext<byte[], byte[]> context) {
        store = context.getStateStore(NAME);
    }

    static StoreBuilder<?> builder() {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(NAME), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingEnabled(Map.of(
                        TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG, Long.toString(Topic.COMPACTED_WITHIN.toMillis())));
    }

    // ---- sessions

    SessionState session(RecordKey key) {
        SessionState state = session(store, key);
        return state == null ? SessionState.initial(key) : state;
    }

    /** The header of a session, in this or another thread's view of the store; null for none. */
    static @Nullable SessionState session(ReadOnlyKeyValueStore<Bytes, byte[]> store, RecordKey key) {
        byte[] value = store.get(key(Kind.SESSION, key));
        return value == null ? null : read(SESSION, value);
    }

    void keep(SessionState state) {
        store.put(key(Kind.SESSION, state.key()), write(SESSION, state));
    }

    /** Shows every session, as after a restart. */
    void eachSession(Consumer<SessionState> to) {
        try (KeyValueIterator<Bytes, byte[]> all = store.range(Kind.SESSION.first(), Kind.SESSION.end())) {
            all.forEachRemaining(row -> to.accept(read(SESSION, row.value)));
        }
    }

    // ---- entries

    void keep(RecordKey key, long index, Entry entry) {
        store.put(entryKey(key, index), write(ENTRY, entry));
    }

    void forget(RecordKey key, long from, long to) {
        for (long index = from; index < to; index++) {
            store.delete(entryKey(key, index));
        }
    }

    /** The entries from {@code from} to before {@code to}; one that is missing would be a defect, and fails. */
    List<Entry> entries(RecordKey key, long from, long to) {
        var found = new ArrayList<Entry>();
        if (from < to) {
            try (KeyValueIterator<Bytes, byte[]> range = store.range(entryKey(key, from), entryKey(key, to - 1))) {
                range.forEachRemaining(row -> found.add(read(ENTRY, row.value)));
            }
        }
        if (found.size() != to - from) {
            throw new IllegalStateException("%s has %d of the entries %d to %d".formatted(key, found.size(), from, to));
        }
        return found;
    }

    private static Bytes entryKey(RecordKey key, long index) {
        return key(Kind.ENTRY, key, index);
    }

    // ---- outcomes

    Optional<Outcome> outcome(RecordKey key, UUID commandId, Instant now) {
        byte[] value = store.get(outcomeKey(key, commandId));
        if (value == null || isOld(value, now)) {
            return Optional.empty();
        }
        return Optional.of(read(OUTCOME, Arrays.copyOfRange(value, Long.BYTES, value.length)));
    }

    void remember(RecordKey key, UUID commandId, Outcome outcome, Instant now) {
        byte[] record = write(OUTCOME, outcome);
        store.put(
                outcomeKey(key, commandId),
                ByteBuffer.allocate(Long.BYTES + record.length)
                        .putLong(now.toEpochMilli())
                        .put(record)
                        .array());
    }

    /** What any outcome of the session said is not known any more, only that there was one. */
    void eraseOutcomes(RecordKey key) {
        var all = new HashMap<Bytes, Long>();
        try (var range = store.range(key(Kind.OUTCOME, key, 0, 0), key(Kind.OUTCOME, key, -1, -1))) {
            range.forEachRemaining(
                    row -> all.put(row.key, ByteBuffer.wrap(row.value).getLong()));
        }
        all.forEach((place, written) -> {
            var id = ByteBuffer.wrap(place.get(), place.get().length - 2 * Long.BYTES, 2 * Long.BYTES);
            UUID commandId = new UUID(id.getLong(), id.getLong());
            remember(key, commandId, Outcome.erased(key, commandId), Instant.ofEpochMilli(written));
        });
    }

    private static Bytes outcomeKey(RecordKey key, UUID commandId) {
        return key(Kind.OUTCOME, key, commandId.getMostSignificantBits(), commandId.getLeastSignificantBits());
    }

    private static boolean isOld(byte[] outcome, Instant now) {
        return ByteBuffer.wrap(outcome).getLong() < now.minus(REMEMBERED).toEpochMilli();
    }

    /**
     * Looks at the next outcomes, round and round, and forgets those that are old.
     *
     * @param most how many are looked at
     */
    void forgetOldOutcomes(Instant now, int most) {
        var old = new ArrayList<Bytes>();
        try (var range = store.range(next, Kind.OUTCOME.end())) {
            for (int seen = 0; seen < most && range.hasNext(); seen++) {
                var row = range.next();
                if (isOld(row.value, now)) {
                    old.add(row.key);
                }
            }
            next = range.hasNext() ? range.peekNextKey() : Kind.OUTCOME.first();
        }
        old.forEach(store::delete);
    }

    // ---- bytes

    private static <T> byte[] write(RecordSerde<T> serde, T value) {
        return serde.serializer().serialize(NAME, value);
    }

    private static <T> T read(RecordSerde<T> serde, byte[] value) {
        return serde.deserializer().deserialize(NAME, value);
    }

    private static Bytes key(Kind kind, RecordKey session, long... more) {
        byte[] name = session.toString().getBytes(StandardCharsets.UTF_8);
        var key = ByteBuffer.allocate(1 + name.length + (more.length == 0 ? 0 : 1 + more.length * Long.BYTES))
                .put(kind.prefix)
                .put(name);
        if (more.length > 0) {
            key.put((byte) 0);
        }
        for (long number : more) {
            key.putLong(number);
        }
        return Bytes.wrap(key.array());
    }
}

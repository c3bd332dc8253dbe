package dev.parley.platform.streams;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.serde.RecordSerde;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of the commands of the last week, in the store of a topology: a duplicate command gets the same outcome. A
 * value begins with the time of writing, eight bytes of milliseconds.
 */
public final class RememberedOutcomes {
    /** Period in which a duplicate of a command is recognised. */
    public static final Duration REMEMBERED = Duration.ofDays(7);

    private static final char KIND = 'o';
    private static final RecordSerde<Outcome> OUTCOME = RecordSerde.of(Outcome.class);

    private final KeyedStore store;
    /** Key from which the search for old outcomes continues. */
    private Bytes next = KeyedStore.first(KIND);

    public RememberedOutcomes(KeyedStore store) {
        this.store = store;
    }

    /** The outcome of a command, if it was decided within {@link #REMEMBERED}. */
    public Optional<Outcome> find(RecordKey key, UUID commandId, Instant now) {
        return store.bytes(rowKey(key, commandId))
                .filter(value -> !isOld(value, now))
                .map(value -> OUTCOME.deserializer()
                        .deserialize(store.name(), Arrays.copyOfRange(value, Long.BYTES, value.length)));
    }

    /** An outcome in the changelog of a store. */
    public record Remembered(RecordKey key, UUID commandId, Outcome outcome) {}

    /**
     * The outcome in a changelog record of a store; empty for other rows and for tombstones.
     *
     * @throws org.apache.kafka.common.errors.SerializationException when it cannot be read
     */
    public static Optional<Remembered> read(byte[] key, byte @Nullable [] value) {
        int text = key.length - 2 * Long.BYTES - 2; // without the kind, and the zero before the id
        if (value == null || text <= 0 || key[0] != KIND || key[text + 1] != 0) {
            return Optional.empty();
        }
        var id = ByteBuffer.wrap(key, text + 2, 2 * Long.BYTES);
        return Optional.of(new Remembered(
                RecordKey.parse(new String(key, 1, text, StandardCharsets.UTF_8)),
                new UUID(id.getLong(), id.getLong()),
                OUTCOME.deserializer().deserialize("", Arrays.copyOfRange(value, Long.BYTES, value.length))));
    }

    /** Stores the outcome of a command. */
    public void remember(RecordKey key, UUID commandId, Outcome outcome, Instant now) {
        prepare(key, commandId, outcome, now).run();
    }

    /** Encodes the outcome of a command, and returns the action that stores it. */
    public Runnable prepare(RecordKey key, UUID commandId, Outcome outcome, Instant now) {
        byte[] record = OUTCOME.serializer().serialize(store.name(), outcome);
        byte[] value = ByteBuffer.allocate(Long.BYTES + record.length)
                .putLong(now.toEpochMilli())
                .put(record)
                .array();
        return () -> store.put(rowKey(key, commandId), value);
    }

    /** Replaces the outcomes of a key by {@linkplain Outcome#erased erased} ones. */
    public void erase(RecordKey key) {
        for (var row : store.between(KeyedStore.key(KIND, key, 0, 0), KeyedStore.key(KIND, key, -1, -1))) {
            byte[] bytes = row.key.get();
            var id = ByteBuffer.wrap(bytes, bytes.length - 2 * Long.BYTES, 2 * Long.BYTES);
            UUID commandId = new UUID(id.getLong(), id.getLong());
            Instant storedAt = Instant.ofEpochMilli(ByteBuffer.wrap(row.value).getLong());
            remember(key, commandId, Outcome.erased(key, commandId), storedAt);
        }
    }

    /**
     * Checks the next outcomes, in turn, and deletes old ones.
     *
     * @param limit number of outcomes to check
     */
    public void forgetOld(Instant now, int limit) {
        Bytes resume = store.sweep(next, KeyedStore.end(KIND), limit, value -> isOld(value, now));
        next = resume == null ? KeyedStore.first(KIND) : resume;
    }

    private static Bytes rowKey(RecordKey key, UUID commandId) {
        return KeyedStore.key(KIND, key, commandId.getMostSignificantBits(), commandId.getLeastSignificantBits());
    }

    private static boolean isOld(byte[] outcome, Instant now) {
        return ByteBuffer.wrap(outcome).getLong() < now.minus(REMEMBERED).toEpochMilli();
    }
}

package dev.parley.platform.streams;

import dev.parley.domain.RecordKey;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.serde.RecordSerde;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * The only store of a topology: each further store would add a changelog to every transaction, and those are most of
 * the cost of a step. A key consists of a letter for the kind of the row, the record key, a zero byte, and the numbers
 * that distinguish rows of one record key.
 */
public final class KeyedStore {
    private final String name;
    private final KeyValueStore<Bytes, byte[]> underlying;
    private final CheckedStore store;

    /** @param name of the store, which must not change: its changelog has it */
    public KeyedStore(ProcessorContext<byte[], byte[]> context, String name) {
        this.name = name;
        this.underlying = context.getStateStore(name);
        this.store = new CheckedStore(underlying);
    }

    /**
     * Throws the failure of the store, if it has failed: what was decided since is void, also where somebody caught the
     * failure.
     */
    public void throwIfFailed() {
        store.throwIfFailed();
    }

    /** Builder of the store: persistent, with a changelog that is compacted within a day. */
    static StoreBuilder<?> builder(String name) {
        return CommitAwareStore.of(Stores.keyValueStoreBuilder(
                        Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingEnabled(Map.of(
                        TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG, Long.toString(Topic.COMPACTED_WITHIN.toMillis()))));
    }

    /** Sets an action that runs before each commit of the task, to write values held as objects. */
    public void beforeCommit(Runnable action) {
        CommitAwareStore.unwrap(underlying).beforeCommit(action);
    }

    /** The row of a key, also in the read-only view of another thread; null for none. */
    public static <T> @Nullable T get(
            ReadOnlyKeyValueStore<Bytes, byte[]> store,
            String name,
            RecordSerde<T> serde,
            char kind,
            RecordKey key,
            long... numbers) {
        return read(name, serde, store.get(key(kind, key, numbers)));
    }

    private static <T> @Nullable T read(String name, RecordSerde<T> serde, byte @Nullable [] value) {
        return value == null ? null : serde.deserializer().deserialize(name, value);
    }

    /** The row of a key, or null. */
    public <T> @Nullable T get(RecordSerde<T> serde, char kind, RecordKey key, long... numbers) {
        return read(name, serde, store.get(key(kind, key, numbers)));
    }

    /** Writes a row. */
    public <T> void put(RecordSerde<T> serde, T value, char kind, RecordKey key, long... numbers) {
        prepare(serde, value, kind, key, numbers).run();
    }

    /** Encodes a row, and returns the action that writes it. */
    public <T> Runnable prepare(RecordSerde<T> serde, T value, char kind, RecordKey key, long... numbers) {
        Bytes row = key(kind, key, numbers);
        byte[] bytes = serde.serializer().serialize(name, value);
        return () -> store.put(row, bytes);
    }

    /** The single text of a kind, or empty. */
    public Optional<String> text(char kind) {
        return bytes(first(kind)).map(value -> new String(value, StandardCharsets.UTF_8));
    }

    /** Writes the single text of a kind. */
    public void putText(char kind, String text) {
        put(first(kind), text.getBytes(StandardCharsets.UTF_8));
    }

    /** Deletes a row, if it exists. */
    public void delete(char kind, RecordKey key, long... numbers) {
        store.delete(key(kind, key, numbers));
    }

    /**
     * A stored row.
     *
     * @param value null where it is unreadable
     */
    public record Row<T>(byte[] key, byte[] bytes, @Nullable T value) {}

    /**
     * The rows of a record key, also unreadable ones.
     *
     * @param from first number
     * @param to behind the last number
     */
    public <T> List<Row<T>> rows(RecordSerde<T> serde, char kind, RecordKey key, long from, long to) {
        var rows = new ArrayList<Row<T>>();
        if (from < to) {
            for (KeyValue<Bytes, byte[]> row : between(key(kind, key, from), key(kind, key, to - 1))) {
                rows.add(new Row<>(row.key.get(), row.value, readable(serde, row.value)));
            }
        }
        return rows;
    }

    /** Visits each row of a kind, also unreadable ones. */
    public <T> void eachRow(RecordSerde<T> serde, char kind, Consumer<Row<T>> visitor) {
        try (KeyValueIterator<Bytes, byte[]> range = store.range(first(kind), end(kind))) {
            range.forEachRemaining(
                    row -> visitor.accept(new Row<>(row.key.get(), row.value, readable(serde, row.value))));
        }
    }

    private <T> @Nullable T readable(RecordSerde<T> serde, byte[] value) {
        try {
            return serde.deserializer().deserialize(name, value);
        } catch (SerializationException e) {
            return null;
        }
    }

    /**
     * Visits the rows of a record key in the order of their numbers.
     *
     * @param from first number
     * @param to behind the last number
     */
    public <T> void each(
            RecordSerde<T> serde, char kind, RecordKey key, long from, long to, BiConsumer<Long, T> visitor) {
        if (from < to) {
            try (var range = store.range(key(kind, key, from), key(kind, key, to - 1))) {
                range.forEachRemaining(row -> visitor.accept(
                        ByteBuffer.wrap(row.key.get()).getLong(row.key.get().length - Long.BYTES),
                        serde.deserializer().deserialize(name, row.value)));
            }
        }
    }

    /** Visits all rows of a record key in the order of their numbers. */
    public <T> void eachOf(RecordSerde<T> serde, char kind, RecordKey key, Consumer<T> visitor) {
        between(key(kind, key, 0, 0), key(kind, key, -1, -1))
                .forEach(row -> visitor.accept(serde.deserializer().deserialize(name, row.value)));
    }

    /** Visits the record key and number of each row of a kind whose rows have one number. */
    public void eachKey(char kind, BiConsumer<RecordKey, Long> visitor) {
        try (KeyValueIterator<Bytes, byte[]> range = store.range(first(kind), end(kind))) {
            range.forEachRemaining(row -> {
                byte[] key = row.key.get();
                int text = key.length - Long.BYTES - 2; // without the kind, and the zero before the number
                visitor.accept(
                        RecordKey.parse(new String(key, 1, text, StandardCharsets.UTF_8)),
                        ByteBuffer.wrap(key).getLong(text + 2));
            });
        }
    }

    /**
     * The next rows of a record key in the order of their numbers.
     *
     * @param from first number
     * @param limit maximum count
     */
    public <T> List<T> readRange(RecordSerde<T> serde, char kind, RecordKey key, long from, int limit) {
        var values = new ArrayList<T>();
        try (var range = store.range(key(kind, key, from), key(kind, key, Long.MAX_VALUE))) {
            while (values.size() < limit && range.hasNext()) {
                values.add(serde.deserializer().deserialize(name, range.next().value));
            }
        }
        return values;
    }

    /** Writes a row of numbers, of eight bytes each. */
    public void put(List<Long> numbers, char kind, RecordKey key, long number) {
        var bytes = ByteBuffer.allocate(numbers.size() * Long.BYTES);
        numbers.forEach(bytes::putLong);
        store.put(key(kind, key, number), bytes.array());
    }

    /** A row of numbers; empty where there is none. */
    public List<Long> numbers(char kind, RecordKey key, long number) {
        byte[] value = store.get(key(kind, key, number));
        var numbers = new ArrayList<Long>();
        for (var bytes = ByteBuffer.wrap(value == null ? new byte[0] : value); bytes.hasRemaining(); ) {
            numbers.add(bytes.getLong());
        }
        return numbers;
    }

    Optional<byte[]> bytes(Bytes key) {
        return Optional.ofNullable(store.get(key));
    }

    void put(Bytes key, byte[] value) {
        store.put(key, value);
    }

    /** Deletes old rows among the next {@code limit} rows; returns the key to continue from, or null at the end. */
    @Nullable
    Bytes sweep(Bytes from, Bytes end, int limit, Predicate<byte[]> old) {
        var expired = new ArrayList<Bytes>();
        Bytes next = null;
        try (var range = store.range(from, end)) {
            for (int visited = 0; visited < limit && range.hasNext(); visited++) {
                var row = range.next();
                if (old.test(row.value)) {
                    expired.add(row.key);
                }
            }
            next = range.hasNext() ? range.peekNextKey() : null;
        }
        expired.forEach(store::delete);
        return next;
    }

    /** The keys and values between two keys. */
    List<KeyValue<Bytes, byte[]>> between(Bytes from, Bytes to) {
        var found = new ArrayList<KeyValue<Bytes, byte[]>>();
        try (var range = store.range(from, to)) {
            range.forEachRemaining(found::add);
        }
        return found;
    }

    String name() {
        return name;
    }

    /** Before all keys of a kind. */
    static Bytes first(char kind) {
        return Bytes.wrap(new byte[] {(byte) kind});
    }

    /** After all keys of a kind, and before those of the next kind: no UTF-8 text contains this byte. */
    static Bytes end(char kind) {
        return Bytes.wrap(new byte[] {(byte) kind, (byte) 0xFF});
    }

    static Bytes key(char kind, RecordKey record, long... numbers) {
        byte[] text = record.toString().getBytes(StandardCharsets.UTF_8);
        var key = ByteBuffer.allocate(1 + text.length + (numbers.length == 0 ? 0 : 1 + numbers.length * Long.BYTES))
                .put((byte) kind)
                .put(text);
        if (numbers.length > 0) {
            key.put((byte) 0);
        }
        for (long number : numbers) {
            key.putLong(number);
        }
        return Bytes.wrap(key.array());
    }
}

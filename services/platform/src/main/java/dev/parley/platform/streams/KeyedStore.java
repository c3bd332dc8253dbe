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
 * the cost of a step. A key is a letter for the kind of the row, the record key, a zero byte, and what distinguishes
 * rows of one record key.
 */
public final class KeyedStore {
    private final String name;
    private final KeyValueStore<Bytes, byte[]> store;

    /** @param name of the store, for ever */
    public KeyedStore(ProcessorContext<byte[], byte[]> context, String name) {
        this.name = name;
        this.store = context.getStateStore(name);
    }

    /** What makes the store: on disk, with a changelog from which what was deleted is gone within a day. */
    static StoreBuilder<?> builder(String name) {
        return CommitAwareStore.of(Stores.keyValueStoreBuilder(
                        Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingEnabled(Map.of(
                        TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG, Long.toString(Topic.COMPACTED_WITHIN.toMillis()))));
    }

    /** Runs this before each commit of the task, to write what is held as objects. */
    public void beforeCommit(Runnable writing) {
        CommitAwareStore.behind(store).beforeCommit(writing);
    }

    /** The row of this key, in this or another thread's view of a store; null for none. */
    public static <T> @Nullable T get(
            ReadOnlyKeyValueStore<Bytes, byte[]> store,
            String name,
            RecordSerde<T> serde,
            char kind,
            RecordKey key,
            long... more) {
        byte[] value = store.get(key(kind, key, more));
        return value == null ? null : serde.deserializer().deserialize(name, value);
    }

    /** The row of this key, or null. */
    public <T> @Nullable T get(RecordSerde<T> serde, char kind, RecordKey key, long... more) {
        return get(store, name, serde, kind, key, more);
    }

    /** Writes a row. */
    public <T> void put(RecordSerde<T> serde, T value, char kind, RecordKey key, long... more) {
        store.put(key(kind, key, more), serde.serializer().serialize(name, value));
    }

    /** The one text of a kind, or empty. */
    public Optional<String> text(char kind) {
        return bytes(first(kind)).map(value -> new String(value, StandardCharsets.UTF_8));
    }

    /** Writes the one text of a kind. */
    public void putText(char kind, String text) {
        put(first(kind), text.getBytes(StandardCharsets.UTF_8));
    }

    /** Deletes a row, if it is there. */
    public void delete(char kind, RecordKey key, long... more) {
        store.delete(key(kind, key, more));
    }

    /** A row as it stands there, and what it is: null where it cannot be read. */
    public record Row<T>(byte[] key, byte[] bytes, @Nullable T value) {}

    /** Shows the rows of a record key from one number to before another, those that cannot be read, too. */
    public <T> List<Row<T>> rows(RecordSerde<T> serde, char kind, RecordKey key, long from, long to) {
        var rows = new ArrayList<Row<T>>();
        if (from < to) {
            for (KeyValue<Bytes, byte[]> row : between(key(kind, key, from), key(kind, key, to - 1))) {
                rows.add(new Row<>(row.key.get(), row.value, readable(serde, row.value)));
            }
        }
        return rows;
    }

    /** Shows every row of a kind, those that cannot be read, too. */
    public <T> void eachRow(RecordSerde<T> serde, char kind, Consumer<Row<T>> to) {
        try (KeyValueIterator<Bytes, byte[]> all = store.range(first(kind), end(kind))) {
            all.forEachRemaining(row -> to.accept(new Row<>(row.key.get(), row.value, readable(serde, row.value))));
        }
    }

    private <T> @Nullable T readable(RecordSerde<T> serde, byte[] value) {
        try {
            return serde.deserializer().deserialize(name, value);
        } catch (SerializationException e) {
            return null;
        }
    }

    /** Shows every row of a kind. */
    public <T> void each(RecordSerde<T> serde, char kind, Consumer<T> to) {
        try (KeyValueIterator<Bytes, byte[]> all = store.range(first(kind), end(kind))) {
            all.forEachRemaining(row -> to.accept(serde.deserializer().deserialize(name, row.value)));
        }
    }

    /** Shows the rows of a record key, in the order of their numbers, from one number to before another. */
    public <T> void each(RecordSerde<T> serde, char kind, RecordKey key, long from, long to, BiConsumer<Long, T> with) {
        if (from < to) {
            try (var range = store.range(key(kind, key, from), key(kind, key, to - 1))) {
                range.forEachRemaining(row -> with.accept(
                        ByteBuffer.wrap(row.key.get()).getLong(row.key.get().length - Long.BYTES),
                        serde.deserializer().deserialize(name, row.value)));
            }
        }
    }

    /** Shows the rows of a record key whatever numbers they have, in the order of these. */
    public <T> void eachOf(RecordSerde<T> serde, char kind, RecordKey key, Consumer<T> to) {
        between(key(kind, key, 0, 0), key(kind, key, -1, -1))
                .forEach(row -> to.accept(serde.deserializer().deserialize(name, row.value)));
    }

    /** Shows the record key and the number of each row of a kind whose rows have one number. */
    public void eachKey(char kind, BiConsumer<RecordKey, Long> to) {
        try (KeyValueIterator<Bytes, byte[]> all = store.range(first(kind), end(kind))) {
            all.forEachRemaining(row -> {
                byte[] key = row.key.get();
                int text = key.length - Long.BYTES - 2; // without the kind, and the zero before the number
                to.accept(
                        RecordKey.parse(new String(key, 1, text, StandardCharsets.UTF_8)),
                        ByteBuffer.wrap(key).getLong(text + 2));
            });
        }
    }

    /** The rows of a record key from a number on, in the order of their numbers; at most so many. */
    public <T> List<T> some(RecordSerde<T> serde, char kind, RecordKey key, long from, int most) {
        var some = new ArrayList<T>();
        try (var range = store.range(key(kind, key, from), key(kind, key, Long.MAX_VALUE))) {
            while (some.size() < most && range.hasNext()) {
                some.add(serde.deserializer().deserialize(name, range.next().value));
            }
        }
        return some;
    }

    // ---- rows of numbers, eight bytes each

    /** Writes a row of numbers. */
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

    // ---- outcomes of commands: the value begins with the time of writing, eight bytes of milliseconds

    Optional<byte[]> bytes(Bytes key) {
        return Optional.ofNullable(store.get(key));
    }

    void put(Bytes key, byte[] value) {
        store.put(key, value);
    }

    /** Deletes of the next rows, up to so many, those that a condition picks. @return where to go on, or null at the end */
    @Nullable
    Bytes sweep(Bytes from, Bytes end, int most, Predicate<byte[]> old) {
        var going = new ArrayList<Bytes>();
        Bytes next = null;
        try (var range = store.range(from, end)) {
            for (int seen = 0; seen < most && range.hasNext(); seen++) {
                var row = range.next();
                if (old.test(row.value)) {
                    going.add(row.key);
                }
            }
            next = range.hasNext() ? range.peekNextKey() : null;
        }
        going.forEach(store::delete);
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

    /** After all keys of a kind, and before the first one of the next, which ranges would have in them: no text has this byte. */
    static Bytes end(char kind) {
        return Bytes.wrap(new byte[] {(byte) kind, (byte) 0xFF});
    }

    static Bytes key(char kind, RecordKey record, long... more) {
        byte[] text = record.toString().getBytes(StandardCharsets.UTF_8);
        var key = ByteBuffer.allocate(1 + text.length + (more.length == 0 ? 0 : 1 + more.length * Long.BYTES))
                .put((byte) kind)
                .put(text);
        if (more.length > 0) {
            key.put((byte) 0);
        }
        for (long number : more) {
            key.putLong(number);
        }
        return Bytes.wrap(key.array());
    }
}

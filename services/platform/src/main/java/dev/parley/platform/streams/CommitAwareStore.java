package dev.parley.platform.streams;

import java.util.List;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.AbstractStoreBuilder;
import org.apache.kafka.streams.state.internals.WrappedStateStore;

/**
 * A store whose task is notified before each commit, when values held as objects must be written. Kafka Streams
 * flushes caches at that moment, and recognises them by the interface of {@link WrappedStateStore}.
 */
final class CommitAwareStore extends WrappedStateStore<KeyValueStore<Bytes, byte[]>, Bytes, byte[]>
        implements KeyValueStore<Bytes, byte[]> {
    private Runnable beforeCommit = () -> {};

    private CommitAwareStore(KeyValueStore<Bytes, byte[]> logged) {
        super(logged);
    }

    /** Wraps the stores of another builder. */
    static StoreBuilder<KeyValueStore<Bytes, byte[]>> of(StoreBuilder<KeyValueStore<Bytes, byte[]>> logged) {
        var builder =
                new AbstractStoreBuilder<Bytes, byte[], KeyValueStore<Bytes, byte[]>>(
                        logged.name(), Serdes.Bytes(), Serdes.ByteArray(), Time.SYSTEM) {
                    @Override
                    public KeyValueStore<Bytes, byte[]> build() {
                        return new CommitAwareStore(logged.build());
                    }
                };
        return builder.withLoggingEnabled(logged.logConfig());
    }

    /** Unwraps a store of a processor context. */
    static CommitAwareStore unwrap(KeyValueStore<Bytes, byte[]> store) {
        return (CommitAwareStore) ((WrappedStateStore<?, ?, ?>) store).wrapped();
    }

    /** Sets an action that runs before each commit, on the thread of the task. */
    void beforeCommit(Runnable action) {
        beforeCommit = action;
    }

    @Override
    public void flushCache() {
        beforeCommit.run();
    }

    @Override
    public byte[] get(Bytes key) {
        return wrapped().get(key);
    }

    @Override
    public void put(Bytes key, byte[] value) {
        wrapped().put(key, value);
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
        return wrapped().putIfAbsent(key, value);
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
        wrapped().putAll(entries);
    }

    @Override
    public byte[] delete(Bytes key) {
        return wrapped().delete(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        return wrapped().range(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return wrapped().all();
    }

    @Override
    public long approximateNumEntries() {
        return wrapped().approximateNumEntries();
    }
}

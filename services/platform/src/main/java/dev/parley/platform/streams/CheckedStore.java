package dev.parley.platform.streams;

import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** A store that keeps its first failure, so that it can be told from failures of those who use it. Any thread. */
final class CheckedStore {
    private final KeyValueStore<Bytes, byte[]> store;
    private volatile @Nullable RuntimeException failure;

    CheckedStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    void throwIfFailed() {
        RuntimeException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    byte @Nullable [] get(Bytes key) {
        return checked(() -> store.get(key));
    }

    void put(Bytes key, byte[] value) {
        run(() -> store.put(key, value));
    }

    void delete(Bytes key) {
        run(() -> store.delete(key));
    }

    KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        KeyValueIterator<Bytes, byte[]> rows = checked(() -> store.range(from, to));
        return new KeyValueIterator<>() {
            @Override
            public boolean hasNext() {
                return checked(rows::hasNext);
            }

            @Override
            public KeyValue<Bytes, byte[]> next() {
                return checked(rows::next);
            }

            @Override
            public Bytes peekNextKey() {
                return checked(rows::peekNextKey);
            }

            @Override
            public void close() {
                run(rows::close);
            }
        };
    }

    private void run(Runnable action) {
        checked(() -> {
            action.run();
            return true;
        });
    }

    private <T extends @Nullable Object> T checked(Supplier<T> action) {
        try {
            return action.get();
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        }
    }
}

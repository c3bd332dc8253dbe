package dev.parley.channels.bots.people;

import dev.parley.platform.database.Sql.FailedException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Values of the database, each cached for a limited time. All are dropped when there are too many. */
final class ExpiringCache<V> {
    private final Map<String, Entry<V>> entries = new ConcurrentHashMap<>();
    private final int maxEntries;
    private final long ttl;
    private final long maxStale;

    private record Entry<V>(V value, long at) {}

    ExpiringCache(int maxEntries, Duration ttl) {
        this(maxEntries, ttl, Duration.ZERO);
    }

    /** @param maxStale maximum age of values while the database does not answer */
    ExpiringCache(int maxEntries, Duration ttl, Duration maxStale) {
        this.maxEntries = maxEntries;
        this.ttl = ttl.toNanos();
        this.maxStale = maxStale.toNanos();
    }

    /** The value of a key, read where it is not cached. */
    V get(String key, Supplier<V> read) {
        Entry<V> cached = entries.get(key);
        long now = System.nanoTime();
        if (cached != null && now - cached.at() < ttl) {
            return cached.value();
        }
        try {
            V value = read.get();
            if (entries.size() > maxEntries) {
                entries.clear();
            }
            entries.put(key, new Entry<>(value, now));
            return value;
        } catch (FailedException e) {
            if (cached != null && now - cached.at() < maxStale) {
                return cached.value();
            }
            throw e;
        }
    }

    void remove(String key) {
        entries.remove(key);
    }

    void clear() {
        entries.clear();
    }
}

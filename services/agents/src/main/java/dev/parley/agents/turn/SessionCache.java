package dev.parley.agents.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.session.SessionState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An LRU cache of the sessions of a partition, limited by weight, and a write-behind buffer: sessions changed since the
 * last commit are kept regardless of their weight.
 */
final class SessionCache {
    /** Approximate weight of a session header, in bytes. */
    private static final int HEADER_WEIGHT = 4_096;

    /** Weight of an entry in addition to its message. */
    private static final int ENTRY_OVERHEAD = 256;

    private final long maxWeight;
    private final LinkedHashMap<RecordKey, Cached> sessions = new LinkedHashMap<>(64, 0.75f, true);
    private final Map<RecordKey, SessionState> unwritten = new HashMap<>();
    private long weight;

    /** @param maxWeight the maximum weight of cached sessions, in bytes */
    SessionCache(long maxWeight) {
        this.maxWeight = maxWeight;
    }

    private static final class Cached {
        private SessionState state;
        private final TreeMap<Long, Entry> entries = new TreeMap<>();
        private long weight = HEADER_WEIGHT;

        Cached(SessionState state) {
            this.state = state;
        }
    }

    /** The session; null if it is not cached. */
    @Nullable
    SessionState session(RecordKey key) {
        Cached cached = sessions.get(key);
        return cached == null ? unwritten.get(key) : cached.state;
    }

    /** Updates a session, to be written before the next commit. */
    void update(SessionState state) {
        unwritten.put(state.key(), state);
        Cached cached = sessions.get(state.key());
        if (cached == null) {
            add(state);
        } else {
            cached.state = state;
        }
    }

    /** Adds a session that was read from the store. */
    void add(SessionState state) {
        sessions.put(state.key(), new Cached(state));
        weight += HEADER_WEIGHT;
        evict();
    }

    /** Evicts the least recently used sessions, except for the last one. */
    private void evict() {
        while (weight > maxWeight && sessions.size() > 1) {
            weight -= sessions.pollFirstEntry().getValue().weight;
        }
    }

    /** Removes and returns the sessions to be written. */
    List<SessionState> takeUnwritten() {
        var states = new ArrayList<>(unwritten.values());
        unwritten.clear();
        return states;
    }

    /** The entries from {@code from} (inclusive) to {@code to} (exclusive), if all of them are cached. */
    Optional<List<Entry>> entries(RecordKey key, long from, long to) {
        Cached cached = sessions.get(key);
        if (cached == null) {
            return Optional.empty();
        }
        var found = List.copyOf(cached.entries.subMap(from, to).values());
        return found.size() == to - from ? Optional.of(found) : Optional.empty();
    }

    /** Caches an entry that the store has, too. */
    void putEntry(RecordKey key, long index, Entry entry) {
        Cached cached = sessions.get(key);
        if (cached != null) {
            addWeight(cached, weight(entry) - weight(cached.entries.put(index, entry)));
        }
    }

    /** Removes entries that are deleted from the store as well. */
    void removeEntries(RecordKey key, long from, long to) {
        Cached cached = sessions.get(key);
        if (cached != null) {
            var removed = cached.entries.subMap(from, to);
            addWeight(
                    cached,
                    -removed.values().stream().mapToLong(SessionCache::weight).sum());
            removed.clear();
        }
    }

    private void addWeight(Cached cached, long by) {
        cached.weight += by;
        weight += by;
        evict();
    }

    private static long weight(@Nullable Entry entry) {
        return entry == null ? 0 : ENTRY_OVERHEAD + entry.weight();
    }
}

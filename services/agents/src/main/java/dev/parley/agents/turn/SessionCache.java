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
 * Sessions of a partition as objects: those that were used last, up to a weight. What was decided on since the last commit is kept
 * whatever it weighs.
 */
final class SessionCache {
    /** Weight of a header, about; an entry weighs what its message weighs, and this. */
    private static final int HEADER = 4_096;

    private static final int ENTRY = 256;

    private final long most;
    private final LinkedHashMap<RecordKey, Cached> sessions = new LinkedHashMap<>(64, 0.75f, true);
    private final Map<RecordKey, SessionState> unwritten = new HashMap<>();
    private long weight;

    /** @param most weight of the sessions that are kept, in bytes */
    SessionCache(long most) {
        this.most = most;
    }

    private static final class Cached {
        private SessionState state;
        private final TreeMap<Long, Entry> entries = new TreeMap<>();
        private long weight = HEADER;

        Cached(SessionState state) {
            this.state = state;
        }
    }

    /** The session, if it is here. */
    @Nullable
    SessionState session(RecordKey key) {
        Cached cached = sessions.get(key);
        return cached == null ? unwritten.get(key) : cached.state;
    }

    /** A session as it stands in the store. */
    void read(SessionState state) {
        add(state);
    }

    /** A session as it is now, and as it has to be written before the next commit. */
    void decided(SessionState state) {
        unwritten.put(state.key(), state);
        Cached cached = sessions.get(state.key());
        if (cached == null) {
            add(state);
        } else {
            cached.state = state;
        }
    }

    private void add(SessionState state) {
        sessions.put(state.key(), new Cached(state));
        weight += HEADER;
        forgetOldest();
    }

    /** The session that was used last stays, whatever it weighs. */
    private void forgetOldest() {
        while (weight > most && sessions.size() > 1) {
            weight -= sessions.pollFirstEntry().getValue().weight;
        }
    }

    /** What has to be written, which is then regarded as written. */
    List<SessionState> takeUnwritten() {
        var taken = new ArrayList<>(unwritten.values());
        unwritten.clear();
        return taken;
    }

    // ---- entries; each stands in the store, too

    /** The entries from {@code from} to before {@code to}, if all of them are here. */
    Optional<List<Entry>> entries(RecordKey key, long from, long to) {
        Cached cached = sessions.get(key);
        if (cached == null) {
            return Optional.empty();
        }
        var found = List.copyOf(cached.entries.subMap(from, to).values());
        return found.size() == to - from ? Optional.of(found) : Optional.empty();
    }

    void keep(RecordKey key, long index, Entry entry) {
        Cached cached = sessions.get(key);
        if (cached != null) {
            change(cached, weight(entry) - weight(cached.entries.put(index, entry)));
        }
    }

    void forget(RecordKey key, long from, long to) {
        Cached cached = sessions.get(key);
        if (cached != null) {
            var gone = cached.entries.subMap(from, to);
            change(
                    cached,
                    -gone.values().stream().mapToLong(SessionCache::weight).sum());
            gone.clear();
        }
    }

    private void change(Cached cached, long by) {
        cached.weight += by;
        weight += by;
        forgetOldest();
    }

    private static long weight(@Nullable Entry entry) {
        return entry == null ? 0 : ENTRY + entry.weight();
    }
}

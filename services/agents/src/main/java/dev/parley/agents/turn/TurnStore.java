package dev.parley.agents.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.turn.BrokenHistory;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.streams.KeyedStore;
import dev.parley.platform.streams.KeyedStore.Row;
import dev.parley.platform.streams.RememberedOutcomes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/** What the turn topology keeps: a header a session, an entry a message, and the outcomes of the last week. Sessions that were used last are objects. */
final class TurnStore {
    static final String NAME = "turn-store";

    private static final char SESSION = 's';
    /** The process that makes the calls of the partition's sessions in memory. */
    private static final char OWNER = 'p';
    /** Then the index. */
    private static final char ENTRY = 'e';

    private static final RecordSerde<SessionState> SESSIONS = RecordSerde.of(SessionState.class);
    private static final RecordSerde<Entry> ENTRIES = RecordSerde.of(Entry.class);

    /** A sixteenth of Java's memory, whatever the number of partitions: they are few in a process. */
    private static final long CACHED = Runtime.getRuntime().maxMemory() / 16;

    private final KeyedStore store;
    private final RememberedOutcomes outcomes;
    private final SessionCache cache = new SessionCache(CACHED);

    private final Unreadable unreadable;

    /** Is told of a row that cannot be read. */
    @FunctionalInterface
    interface Unreadable {
        /**
         * @param place names the row
         * @param turnId of a message, where that is known
         */
        void found(byte[] place, byte[] bytes, @Nullable UUID turnId);
    }

    TurnStore(ProcessorContext<byte[], byte[]> context, Unreadable unreadable) {
        this.unreadable = unreadable;
        store = new KeyedStore(context, NAME);
        outcomes = new RememberedOutcomes(store);
        store.beforeCommit(() -> cache.takeUnwritten().forEach(this::write));
    }

    static StoreBuilder<?> builder() {
        return KeyedStore.builder(NAME);
    }

    // ---- the process

    /** The process that made calls in memory for the sessions here; empty where none did. */
    Optional<String> owner() {
        return store.text(OWNER).filter(name -> !name.isEmpty());
    }

    /** @param process empty where calls go by their topics */
    void own(String process) {
        store.putText(OWNER, process);
    }

    // ---- sessions

    SessionState session(RecordKey key) {
        SessionState here = cache.session(key);
        if (here != null) {
            return here;
        }
        SessionState stored = store.get(SESSIONS, SESSION, key);
        SessionState state = stored == null ? SessionState.initial(key) : stored;
        cache.read(state);
        return state;
    }

    /** The header of a session as it was committed, in this or another thread's view of the store; null for none. */
    static @Nullable SessionState session(ReadOnlyKeyValueStore<Bytes, byte[]> store, RecordKey key) {
        return KeyedStore.get(store, NAME, SESSIONS, SESSION, key);
    }

    /** Keeps a session; it is written once a commit, whatever happens to it until then. */
    void keep(SessionState state) {
        cache.decided(state);
    }

    private void write(SessionState state) {
        store.put(SESSIONS, state, SESSION, state.key());
    }

    /** Shows every session, as after a restart. One that cannot be read refuses its commands, and the others go on. */
    void eachSession(Consumer<SessionState> to) {
        store.eachRow(SESSIONS, SESSION, row -> {
            if (row.value() == null) {
                unreadable.found(row.key(), row.bytes(), null);
            } else {
                to.accept(row.value());
            }
        });
    }

    // ---- entries

    void keep(RecordKey key, long index, Entry entry) {
        store.put(ENTRIES, entry, ENTRY, key, index);
        cache.keep(key, index, entry);
    }

    void forget(RecordKey key, long from, long to) {
        for (long index = from; index < to; index++) {
            store.delete(ENTRY, key, index);
        }
        cache.forget(key, from, to);
    }

    /** The entries from {@code from} to before {@code to}; one that is missing would be a defect, and fails. */
    List<Entry> entries(RecordKey key, long from, long to) {
        return cache.entries(key, from, to).orElseGet(() -> stored(key, from, to));
    }

    private List<Entry> stored(RecordKey key, long from, long to) {
        List<Row<Entry>> rows = store.rows(ENTRIES, ENTRY, key, from, to);
        if (rows.size() != to - from) {
            throw new IllegalStateException("%s has %d of the entries %d to %d".formatted(key, rows.size(), from, to));
        }
        List<Entry> entries =
                rows.stream().map(Row::value).filter(Objects::nonNull).toList();
        if (entries.size() < rows.size()) {
            entries = repaired(key, from, rows);
        }
        for (int i = 0; i < entries.size(); i++) {
            cache.keep(key, from + i, entries.get(i));
        }
        return entries;
    }

    /** Something takes the place of what cannot be read, here and for good: it is found, and told, once. */
    private List<Entry> repaired(RecordKey key, long from, List<Row<Entry>> rows) {
        var readable = new ArrayList<@Nullable Entry>();
        rows.forEach(row -> readable.add(row.value()));
        List<Entry> repaired = BrokenHistory.repaired(readable);
        for (int i = 0; i < repaired.size(); i++) {
            Entry entry = repaired.get(i);
            Row<Entry> row = rows.get(i);
            if (row.value() == null) {
                unreadable.found(row.key(), row.bytes(), entry.turnId());
            }
            if (!entry.equals(row.value())) {
                store.put(ENTRIES, entry, ENTRY, key, from + i);
            }
        }
        return repaired;
    }

    /** What became of commands. */
    RememberedOutcomes outcomes() {
        return outcomes;
    }
}

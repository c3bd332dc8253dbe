package dev.parley.agents.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.turn.history.BrokenHistory;
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
import org.jspecify.annotations.Nullable;

/**
 * The state store of the turn topology: one header per session, one entry per message, and the outcomes of commands for
 * a week. Recently used sessions are cached as objects.
 */
final class TurnStore {
    static final String NAME = "turn-store";

    private static final char SESSION = 's';
    /** Key prefix of the instance that makes the partition's calls in memory. */
    private static final char OWNER = 'p';
    /** Key prefix of entries; the session and the index follow. */
    private static final char ENTRY = 'e';

    private static final RecordSerde<SessionState> SESSIONS = RecordSerde.of(SessionState.class);
    private static final RecordSerde<Entry> ENTRIES = RecordSerde.of(Entry.class);

    /** Maximum weight of the cache of one partition: a sixteenth of the heap. */
    private static final long MAX_CACHED = Runtime.getRuntime().maxMemory() / 16;

    private final KeyedStore store;
    private final RememberedOutcomes outcomes;
    private final SessionCache cache = new SessionCache(MAX_CACHED);

    private final Unreadable unreadable;

    /** Receives rows that cannot be read. */
    @FunctionalInterface
    interface Unreadable {
        /**
         * @param key the key of the row
         * @param turnId the turn of an entry, if known
         */
        void report(byte[] key, byte[] bytes, @Nullable UUID turnId);
    }

    TurnStore(ProcessorContext<byte[], byte[]> context, Unreadable unreadable) {
        this.unreadable = unreadable;
        store = new KeyedStore(context, NAME);
        outcomes = new RememberedOutcomes(store);
        store.beforeCommit(() -> cache.takeUnwritten().forEach(this::write));
    }

    /** The instance that last made calls in memory for this partition; empty if none did. */
    Optional<String> owner() {
        return store.text(OWNER).filter(name -> !name.isEmpty());
    }

    /** @param process the instance; empty if calls are sent to their topics */
    void setOwner(String process) {
        store.putText(OWNER, process);
    }

    SessionState session(RecordKey key) {
        SessionState cached = cache.session(key);
        if (cached != null) {
            return cached;
        }
        SessionState stored = store.get(SESSIONS, SESSION, key);
        SessionState state = stored == null ? SessionState.initial(key) : stored;
        cache.add(state);
        return state;
    }

    /** The header of a session in a view of the store of any thread; null for none. */
    static @Nullable SessionState session(ReadOnlyKeyValueStore<Bytes, byte[]> store, RecordKey key) {
        return KeyedStore.get(store, NAME, SESSIONS, SESSION, key);
    }

    /** Updates a session, which is written once per commit. */
    void put(SessionState state) {
        cache.update(state);
    }

    private void write(SessionState state) {
        store.put(SESSIONS, state, SESSION, state.key());
    }

    /**
     * Iterates over all sessions, as after a restart. Unreadable ones are reported and skipped; their commands are
     * refused.
     */
    void forEachSession(Consumer<SessionState> to) {
        store.eachRow(SESSIONS, SESSION, row -> {
            if (row.value() == null) {
                unreadable.report(row.key(), row.bytes(), null);
            } else {
                to.accept(row.value());
            }
        });
    }

    /** Encodes an entry, and returns the action that stores it. */
    Runnable prepareEntry(RecordKey key, long index, Entry entry) {
        Runnable put = store.prepare(ENTRIES, entry, ENTRY, key, index);
        return () -> {
            put.run();
            cache.putEntry(key, index, entry);
        };
    }

    /** Throws the failure of the store, if it has failed. */
    void throwIfFailed() {
        store.throwIfFailed();
    }

    void deleteEntries(RecordKey key, long from, long to) {
        for (long index = from; index < to; index++) {
            store.delete(ENTRY, key, index);
        }
        cache.removeEntries(key, from, to);
    }

    /**
     * The entries from {@code from} (inclusive) to {@code to} (exclusive).
     *
     * @throws IllegalStateException when one is missing, which is a defect
     */
    List<Entry> entries(RecordKey key, long from, long to) {
        return cache.entries(key, from, to).orElseGet(() -> readEntries(key, from, to));
    }

    private List<Entry> readEntries(RecordKey key, long from, long to) {
        List<Row<Entry>> rows = store.rows(ENTRIES, ENTRY, key, from, to);
        if (rows.size() != to - from) {
            throw new IllegalStateException("%s has %d of the entries %d to %d".formatted(key, rows.size(), from, to));
        }
        List<Entry> entries =
                rows.stream().map(Row::value).filter(Objects::nonNull).toList();
        if (entries.size() < rows.size()) {
            entries = repairEntries(key, from, rows);
        }
        for (int i = 0; i < entries.size(); i++) {
            cache.putEntry(key, from + i, entries.get(i));
        }
        return entries;
    }

    /** Replaces unreadable entries permanently, and reports each once. */
    private List<Entry> repairEntries(RecordKey key, long from, List<Row<Entry>> rows) {
        var readable = new ArrayList<@Nullable Entry>();
        rows.forEach(row -> readable.add(row.value()));
        List<Entry> repaired = BrokenHistory.repair(readable);
        for (int i = 0; i < repaired.size(); i++) {
            Entry entry = repaired.get(i);
            Row<Entry> row = rows.get(i);
            if (row.value() == null) {
                unreadable.report(row.key(), row.bytes(), entry.turnId());
            }
            if (!entry.equals(row.value())) {
                store.put(ENTRIES, entry, ENTRY, key, from + i);
            }
        }
        return repaired;
    }

    /** The remembered outcomes of commands. */
    RememberedOutcomes outcomes() {
        return outcomes;
    }
}

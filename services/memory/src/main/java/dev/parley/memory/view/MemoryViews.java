package dev.parley.memory.view;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.platform.database.RowBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Writes events into the memory tables. The row of a bank has the sequence number of its last event, so duplicates are
 * recognised. Hand-written SQL, because replays write outside the pool.
 */
final class MemoryViews {
    private final Connection connection;
    private final BankRows banks;
    private final UnitRows units;
    private final ModelRows models;
    private final ForgottenRows forgotten;

    MemoryViews(Connection connection) {
        this(connection, true);
    }

    /**
     * @param counting whether each batch updates counts and checks both ends of links; false where {@link
     *     DeferredIndexes} does both later
     */
    MemoryViews(Connection connection, boolean counting) {
        this.connection = connection;
        banks = new BankRows(connection);
        units = new UnitRows(connection, counting);
        models = new ModelRows(connection);
        forgotten = new ForgottenRows(connection, counting);
    }

    /** Writes events, those of each bank in their order; duplicates are skipped. */
    void write(List<MemoryEvent> events) throws SQLException {
        var ids = new HashMap<BankRef, UUID>(); // derived from names, which is expensive
        events.forEach(event -> ids.computeIfAbsent(event.meta().bank(), BankRef::id));
        Map<UUID, Long> lastSeqs = readLastSeqs(ids);
        var changes = new Changes();
        for (MemoryEvent event : events) {
            UUID bank = Objects.requireNonNull(ids.get(event.meta().bank()));
            if (event.meta().seq() <= lastSeqs.getOrDefault(bank, 0L)) {
                continue;
            }
            lastSeqs.put(bank, event.meta().seq());
            changes.add(bank, event);
            if (event instanceof Forgotten || event instanceof GenerationChanged) {
                save(changes);
                changes = new Changes();
                applyToSavedRows(bank, event);
            }
        }
        save(changes);
    }

    /** Applies an event that changes rows of earlier events. */
    private void applyToSavedRows(UUID bank, MemoryEvent event) throws SQLException {
        if (event instanceof Forgotten erased) {
            forgotten.forget(bank, erased);
        } else if (event instanceof GenerationChanged changed) {
            units.change(bank, changed);
        }
    }

    /** Sequence number of the last event of each bank in the tables. */
    private Map<UUID, Long> readLastSeqs(Map<BankRef, UUID> ids) throws SQLException {
        var batch = new RowBatch("uuid uuid");
        ids.forEach((bank, id) -> batch.add(bank.host(), id));
        var found = new HashMap<UUID, Long>();
        batch.query(connection, """
                SELECT bank_id, aggregate_version FROM $rows AS t (host_id, bank_id)
                JOIN memory.agent_memory_bank_t USING (host_id, bank_id)
                """, row -> found.put(row.getObject(1, UUID.class), row.getLong(2)));
        return found;
    }

    private void save(Changes changes) throws SQLException {
        banks.banks(changes);
        banks.profiles(changes);
        banks.documents(changes);
        banks.processedChunks(changes);
        banks.directives(changes);
        units.units(changes);
        units.retired(changes);
        units.links(changes);
        models.staleReflections(changes);
        models.reflections(changes);
        units.embedded(changes);
        models.models(changes);
        models.versions(changes);
    }
}

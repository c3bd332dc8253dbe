package dev.parley.memory.view;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.memory.Unit;
import dev.parley.platform.database.RowBatch;
import java.sql.Connection;
import java.util.Collection;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Base of the writers of the memory tables. */
abstract class BankTables {
    /** Dimensions of the vector column; vectors of other models are in the events only. */
    static final int DIMENSIONS = 384;

    private static final String NOBODY = "parley";

    final Connection connection;

    BankTables(Connection connection) {
        this.connection = connection;
    }

    static String by(MemoryMeta meta) {
        return meta.by() == null ? NOBODY : meta.by();
    }

    static @Nullable UUID project(BankRef bank) {
        return bank.projectId().orElse(null);
    }

    static UUID host(MemoryEvent event) {
        return event.meta().bank().host();
    }

    static @Nullable Integer vector(@Nullable Vector vector, RowBatch rows) {
        return vector == null || vector.size() != DIMENSIONS ? null : rows.vector(vector.values());
    }

    static @Nullable Integer vector(Unit unit, RowBatch rows) {
        return vector(unit.vector(), rows);
    }

    /** An array literal of ids or hashes. */
    static String literal(Collection<?> ids) {
        return ids.stream().map(Object::toString).collect(Collectors.joining(",", "{", "}"));
    }
}

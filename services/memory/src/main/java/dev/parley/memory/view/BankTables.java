package dev.parley.memory.view;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.memory.Unit;
import dev.parley.platform.database.RowBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Base of the writers of the memory tables. Hand-written SQL: a batch is one array per column, which is faster than
 * batches of Micronaut Data, and replays write outside the pool.
 */
abstract class BankTables {
    /** Dimensions of the vector column; vectors of other models are in the events only. */
    static final int DIMENSIONS = 384;

    /** The vectors of a batch, to be joined by an {@link #upsert}. */
    static final String VECTORS = "CROSS JOIN (SELECT $vectors AS vectors) v";

    private static final String NOBODY = "parley";

    final Connection connection;

    BankTables(Connection connection) {
        this.connection = connection;
    }

    static String upsert(String table, String key, String columns) {
        return upsert(table, key, columns, "");
    }

    /**
     * A statement that inserts or replaces rows. Callers may append assignments, each after a comma.
     *
     * @param columns those after the key; an {@code embedding} is the index of a vector, {@code source_ids} a literal
     * @param join restricts or extends the rows, which are named {@code t}
     */
    static String upsert(String table, String key, String columns, String join) {
        String all = "host_id, bank_id, project_id, %s, %s".formatted(key, columns);
        String selected = each(all, BankTables::selected);
        String replaced = each(columns, column -> column + " = excluded." + column);
        return """
                INSERT INTO memory.agent_memory_%1$s_t (%2$s) SELECT %3$s FROM $rows AS t (%2$s) %4$s
                ON CONFLICT (host_id, bank_id, %5$s) DO UPDATE SET %6$s
                """.formatted(table, all, selected, join, key, replaced);
    }

    private static String each(String columns, UnaryOperator<String> change) {
        return Arrays.stream(columns.split(", ")).map(change).collect(Collectors.joining(", "));
    }

    private static String selected(String column) {
        return switch (column) {
            case "embedding" -> "vectors[t.embedding * 384 + 1 : t.embedding * 384 + 384]";
            case "source_ids" -> "t.source_ids::uuid[]";
            default -> "t." + column;
        };
    }

    /** Deletes the rows of a table that have an id of the batch, its third column. */
    final void delete(RowBatch rows, String table, String column) throws SQLException {
        rows.run(connection, """
                DELETE FROM memory.agent_memory_%s_t x USING $rows AS t (host_id, bank_id, id)
                WHERE x.host_id = t.host_id AND x.bank_id = t.bank_id AND x.%s = t.id
                """.formatted(table, column));
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

package dev.parley.memory.api;

import dev.parley.memory.api.DocJson.OperationJson;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Select;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Sql.Reader;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Queries of documents, and of the results of retain requests. */
@Singleton
@Requires(property = "parley.role.memory", value = "true")
final class DocQueries extends Queries {
    DocQueries(Database database) {
        super(database);
    }

    /** A page of documents, the newest first, without texts. */
    List<DocJson> docs(Bank bank, @Nullable String tag, @Nullable Long before, int limit) {
        var select = of(bank, "d", "SELECT " + DocJson.COLUMNS + " FROM memory.agent_memory_doc_t d")
                .withIf(tag, "AND d.metadata->'tags' @> to_jsonb(?::text)")
                .withIf(before, "AND d.aggregate_version < ?")
                .with("ORDER BY d.aggregate_version DESC LIMIT ?", limit);
        return all(bank, select, DocJson::of);
    }

    /** A document. */
    Optional<DocJson> doc(Bank bank, UUID id) {
        var select = of(bank, "d", "SELECT " + DocJson.COLUMNS + ", d.original_text FROM memory.agent_memory_doc_t d")
                .with("AND d.doc_id = ?", id);
        return first(bank, select, DocJson::whole);
    }

    /** The user that retained a document, and whether it is a turn of a session. */
    record Origin(String by, boolean said) {}

    /** The origin of a document. */
    Optional<Origin> origin(Bank bank, UUID id) {
        var select = of(bank, "d", """
                        SELECT d.update_user, d.metadata->>'session' IS NOT NULL AS said FROM memory.agent_memory_doc_t d
                        """).with("AND d.doc_id = ?", id);
        return first(bank, select, row -> new Origin(row.getString("update_user"), row.getBoolean("said")));
    }

    /**
     * The stored result of a retain request for a document.
     *
     * @param state {@code given} without an outcome, {@code taken} or {@code refused}
     */
    record OperationRow(
            UUID id,
            UUID doc,
            String state,
            @Nullable String code,
            @Nullable String message) {
        OperationJson json() {
            return new OperationJson(id, doc, state.equals("refused") ? state : "pending", null, code, message);
        }
    }

    /** Stores the results of documents, and deletes those older than a week. */
    void store(Bank bank, String user, List<OperationRow> operations) {
        database.in(bank.tenant(), transaction -> {
            transaction.update("""
                    DELETE FROM memory.agent_memory_operation_t
                    WHERE host_id = ? AND bank_id = ? AND update_ts < now() - interval '7 days'
                    """, bank.ref().host(), bank.id());
            return transaction.update(
                    """
                    INSERT INTO memory.agent_memory_operation_t AS o
                      (host_id, bank_id, project_id, operation_id, doc_id, state, code, message, update_user)
                    SELECT ?, ?, ?::uuid, t.id::uuid, t.doc::uuid, t.state, t.code, t.message, ?
                    FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[]) AS t (id, doc, state, code, message)
                    ON CONFLICT (host_id, bank_id, operation_id) DO UPDATE SET state = excluded.state, code = excluded.code,
                      message = excluded.message WHERE o.state = 'given'
                    """,
                    bank.ref().host(),
                    bank.id(),
                    bank.ref().projectId().orElse(null),
                    user,
                    column(operations, OperationRow::id),
                    column(operations, OperationRow::doc),
                    column(operations, OperationRow::state),
                    column(operations, OperationRow::code),
                    column(operations, OperationRow::message));
        });
    }

    private static Object column(List<OperationRow> rows, Function<OperationRow, @Nullable Object> getter) {
        return rows.stream()
                .map(row -> {
                    Object value = getter.apply(row);
                    return value == null ? null : value.toString();
                })
                .toArray(String[]::new);
    }

    /** Progress of retained documents, in the order of the ids; unknown ids are left out. */
    List<OperationJson> operations(Bank bank, List<UUID> ids) {
        return operations(bank, ids, OperationJson::of);
    }

    /**
     * Like {@link #operations}, for tables that may lag: a document counts as read once the tables show the version
     * that these operations sent.
     */
    List<OperationJson> operationsShown(Bank bank, List<UUID> ids) {
        return operations(bank, ids, OperationJson::ofShown);
    }

    private List<OperationJson> operations(Bank bank, List<UUID> ids, Reader<OperationJson> mapper) {
        var select = new Select("""
                        SELECT o.operation_id, o.doc_id, o.state, o.code, o.message, cardinality(d.waiting) AS waiting,
                          d.metadata->>'command' AS command
                        FROM unnest(?::uuid[]) WITH ORDINALITY AS i (id, place)
                        JOIN memory.agent_memory_operation_t o ON o.operation_id = i.id
                        LEFT JOIN memory.agent_memory_doc_t d USING (host_id, bank_id, doc_id)
                        WHERE o.host_id = ? AND o.bank_id = ? ORDER BY i.place
                        """, Sql.texts(ids), bank.ref().host(), bank.id());
        return all(bank, select, mapper);
    }
}

package dev.parley.memory.api;

import dev.parley.domain.memory.BankRef;
import dev.parley.domain.memory.BankScope;
import dev.parley.memory.api.BankJson.CountsJson;
import dev.parley.memory.api.Columns.Mapper;
import dev.parley.memory.api.DocJson.OperationJson;
import dev.parley.memory.api.EntityJson.NeighbourJson;
import dev.parley.memory.api.GraphJson.EdgeJson;
import dev.parley.memory.api.GraphJson.NodeJson;
import dev.parley.memory.api.MaintenanceController.DifferenceJson;
import dev.parley.memory.api.MentalModelJson.VersionJson;
import dev.parley.memory.api.ReflectJson.ReflectionJson;
import dev.parley.memory.api.UnitJson.LinkJson;
import dev.parley.memory.api.UnitJson.NamedJson;
import dev.parley.memory.api.UnitJson.RelationsJson;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Select;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.Cursor;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the tables of memory. What a bank has is asked for by its tenant: rows of others are not seen, whatever is asked. */
@Singleton
@Requires(property = "parley.role.memory", value = "true")
final class MemoryTables {
    private static final String CANCELLED = "57014";
    private static final int MOST_RELATED = 200;
    private static final int MOST_EDGES = 1_000;

    private final Database database;

    MemoryTables(Database database) {
        this.database = database;
    }

    // ---- banks

    /** The bank of this id. */
    Optional<Bank> bank(UUID host, UUID id) {
        var select = new Select("SELECT " + Bank.COLUMNS + " FROM memory.agent_memory_bank_t b")
                .with("WHERE b.host_id = ? AND b.bank_id = ?", host, id);
        return database.in(Tenant.of(host), transaction -> Columns.first(transaction, select, Bank::of));
    }

    /** Banks of a host by their ids, without those of other people. */
    List<Bank> banks(
            UUID host,
            String user,
            @Nullable BankScope scope,
            @Nullable String project,
            @Nullable String agent,
            boolean inactive,
            @Nullable UUID after,
            int most) {
        var select = new Select("SELECT " + Bank.COLUMNS + " FROM memory.agent_memory_bank_t b")
                .with("WHERE b.host_id = ? AND (b.user_id IS NULL OR b.user_id = ?)", host, user)
                .withIf(project, "AND b.project_key = ?")
                .withIf(agent, "AND b.agent = ?")
                .withIf(after, "AND b.bank_id > ?")
                .with(inactive ? "" : "AND b.active")
                .with(scope == null ? "" : "AND " + of(scope))
                .with("ORDER BY b.bank_id LIMIT ?", most);
        return database.in(Tenant.of(host), transaction -> Columns.all(transaction, select, Bank::of));
    }

    private static String of(BankScope scope) {
        return switch (scope) {
            case HOST -> "b.project_id IS NULL";
            case AGENT -> "b.agent IS NOT NULL AND b.user_id IS NULL";
            case USER -> "b.agent IS NULL AND b.user_id IS NOT NULL";
            case USER_AGENT -> "b.agent IS NOT NULL AND b.user_id IS NOT NULL";
        };
    }

    /** How many banks the same person, or all agents, have in a project; no more than so many are counted. */
    long banksLike(BankRef ref, int most) {
        var select = new Select(
                        "SELECT count(*) AS n FROM (SELECT FROM memory.agent_memory_bank_t WHERE host_id = ?",
                        ref.host())
                .with(
                        "AND project_id IS NOT DISTINCT FROM ?::uuid",
                        ref.projectId().orElse(null))
                .with("AND user_id IS NOT DISTINCT FROM ? LIMIT ?) AS found", ref.user(), most);
        return database.in(
                Tenant.of(ref.host()),
                transaction -> Columns.first(transaction, select, row -> row.getLong("n"))
                        .orElse(0L));
    }

    /** How much is in a bank; empty where counting takes too long. */
    Optional<CountsJson> counts(Bank bank) {
        try {
            return Optional.of(database.in(bank.tenant(), transaction -> {
                Map<String, Long> all = Columns.all(
                                transaction,
                                new Select("""
                                        SELECT 'documents' AS what, count(*) AS n FROM memory.agent_memory_doc_t WHERE $bank
                                        UNION ALL SELECT 'waiting', coalesce(sum(cardinality(waiting)), 0)
                                          FROM memory.agent_memory_doc_t WHERE $bank AND waiting <> '{}'
                                        UNION ALL SELECT 'unit ' || fact_type, count(*)
                                          FROM memory.agent_memory_unit_t WHERE $bank AND active GROUP BY fact_type
                                        UNION ALL SELECT 'retired', count(*) FROM memory.agent_memory_unit_t WHERE $bank AND NOT active
                                        UNION ALL SELECT 'entities', count(*) FROM memory.agent_memory_entity_t WHERE $bank
                                        UNION ALL SELECT 'links', count(*) FROM memory.agent_memory_link_t WHERE $bank
                                        """.replace(
                                                "$bank",
                                                "host_id = '%s' AND bank_id = '%s'"
                                                        .formatted(bank.ref().host(), bank.id()))),
                                row -> Map.entry(row.getString("what"), row.getLong("n")))
                        .stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
                var units = new TreeMap<String, Long>();
                all.forEach((what, n) -> {
                    if (what.startsWith("unit ")) {
                        units.put(what.substring("unit ".length()), n);
                    }
                });
                return new CountsJson(
                        all.getOrDefault("documents", 0L),
                        all.getOrDefault("waiting", 0L),
                        units,
                        all.getOrDefault("retired", 0L),
                        all.getOrDefault("entities", 0L),
                        all.getOrDefault("links", 0L));
            }));
        } catch (Sql.FailedException e) {
            if (e.state().equals(CANCELLED)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    // ---- documents

    /** A page of documents, the newest first, without their texts. */
    List<DocJson> docs(Bank bank, @Nullable String tag, @Nullable Long before, int most) {
        var select = of(bank, "d", "SELECT " + DocJson.COLUMNS + " FROM memory.agent_memory_doc_t d")
                .withIf(tag, "AND d.metadata->'tags' @> to_jsonb(?::text)")
                .withIf(before, "AND d.aggregate_version < ?")
                .with("ORDER BY d.aggregate_version DESC LIMIT ?", most);
        return all(bank, select, DocJson::of);
    }

    /** A document. */
    Optional<DocJson> doc(Bank bank, UUID id) {
        var select = of(bank, "d", "SELECT " + DocJson.COLUMNS + ", d.original_text FROM memory.agent_memory_doc_t d")
                .with("AND d.doc_id = ?", id);
        return first(bank, select, DocJson::whole);
    }

    /** Who gave a document, and whether it was said in a session. */
    record Origin(String by, boolean said) {}

    /** Where a document comes from. */
    Optional<Origin> origin(Bank bank, UUID id) {
        var select = of(bank, "d", """
                        SELECT d.update_user, d.metadata->>'session' IS NOT NULL AS said FROM memory.agent_memory_doc_t d
                        """).with("AND d.doc_id = ?", id);
        return first(bank, select, row -> new Origin(row.getString("update_user"), row.getBoolean("said")));
    }

    /** The rows of a bank. */
    private static Select of(Bank bank, String alias, String sql) {
        return new Select(sql)
                .with(
                        "WHERE $.host_id = ? AND $.bank_id = ?".replace("$", alias),
                        bank.ref().host(),
                        bank.id());
    }

    private <T> List<T> all(Bank bank, Select select, Mapper<T> mapper) {
        return database.in(bank.tenant(), transaction -> Columns.all(transaction, select, mapper));
    }

    private <T> Optional<T> first(Bank bank, Select select, Mapper<T> mapper) {
        return database.in(bank.tenant(), transaction -> Columns.first(transaction, select, mapper));
    }

    // ---- what became of documents that were given

    /**
     * What is written down of a document that was given.
     *
     * @param state {@code given} where nobody has heard what became of it, {@code taken} or {@code refused}
     */
    record Kept(
            UUID id,
            UUID doc,
            String state,
            @Nullable String code,
            @Nullable String message) {
        OperationJson json() {
            return new OperationJson(id, doc, state.equals("refused") ? state : "pending", null, code, message);
        }
    }

    /** Writes down what became of documents, and forgets what is older than a week. */
    void keep(Bank bank, String user, List<Kept> operations) {
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
                    column(operations, Kept::id),
                    column(operations, Kept::doc),
                    column(operations, Kept::state),
                    column(operations, Kept::code),
                    column(operations, Kept::message));
        });
    }

    private static Object column(List<Kept> rows, Function<Kept, @Nullable Object> of) {
        return rows.stream()
                .map(row -> {
                    Object value = of.apply(row);
                    return value == null ? null : value.toString();
                })
                .toArray(String[]::new);
    }

    /** How far documents are that were given, in the order of these ids; those that are not known are left out. */
    List<OperationJson> operations(Bank bank, List<UUID> ids) {
        return operations(bank, ids, OperationJson::of);
    }

    /** The same where the tables may be behind: a document is read when they show what these operations have given. */
    List<OperationJson> operationsShown(Bank bank, List<UUID> ids) {
        return operations(bank, ids, OperationJson::ofShown);
    }

    private List<OperationJson> operations(Bank bank, List<UUID> ids, Mapper<OperationJson> mapper) {
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

    // ---- units

    /** A page of units, the newest first. */
    List<UnitJson> units(Bank bank, UnitFilter filter, @Nullable Cursor after, int most) {
        var select = of(bank, "u", "SELECT " + UnitJson.COLUMNS + " FROM memory.agent_memory_unit_t u")
                .with(filter.retired() ? "AND NOT u.active" : "AND u.active")
                .withIf(filter.type(), "AND u.fact_type = ?")
                .withIf(filter.document(), "AND u.doc_id = ?")
                .withIf(filter.tag(), "AND u.metadata->'tags' @> to_jsonb(?::text)")
                .withIf(filter.from(), "AND u.event_date >= ?")
                .withIf(filter.to(), "AND u.event_date < ?")
                .withIf(filter.text(), "AND strpos(lower(u.content), lower(?)) > 0");
        if (filter.entity() != null) {
            select.with(
                    "AND u.unit_id IN (SELECT m.unit_id FROM memory.agent_memory_unit_entity_t m"
                            + " WHERE m.host_id = ? AND m.bank_id = ? AND m.entity_id = ?)",
                    bank.ref().host(),
                    bank.id(),
                    filter.entity());
        }
        if (after != null) {
            select.with(
                    "AND u.event_date <= ? AND (u.event_date < ? OR u.unit_id > ?)",
                    after.time(),
                    after.time(),
                    after.id());
        }
        return all(bank, select.with("ORDER BY u.event_date DESC, u.unit_id LIMIT ?", most), UnitJson::of);
    }

    /** A unit, with what it has to do with others. */
    Optional<UnitJson> unit(Bank bank, UUID id) {
        return database.in(bank.tenant(), transaction -> {
            var select = of(bank, "u", "SELECT " + UnitJson.COLUMNS + " FROM memory.agent_memory_unit_t u")
                    .with("AND u.unit_id = ?", id);
            return Columns.first(transaction, select, UnitJson::of)
                    .map(unit -> unit.with(relations(transaction, bank, id)));
        });
    }

    private static RelationsJson relations(Transaction transaction, Bank bank, UUID id) {
        var entities = of(bank, "m", """
                        SELECT m.entity_id, e.canonical_name FROM memory.agent_memory_unit_entity_t m
                        JOIN memory.agent_memory_entity_t e USING (host_id, bank_id, entity_id)
                        """)
                .with("AND m.unit_id = ? ORDER BY e.canonical_name, m.entity_id LIMIT ?", id, MOST_RELATED);
        var partOf = of(bank, "s", "SELECT s.unit_id FROM memory.agent_memory_unit_source_t s")
                .with("AND s.source_id = ? ORDER BY s.unit_id LIMIT ?", id, MOST_RELATED);
        var replaces = of(bank, "u", "SELECT u.unit_id FROM memory.agent_memory_unit_t u")
                .with("AND NOT u.active AND u.metadata#>>'{retired,replacedBy}' = ?", id.toString())
                .with("ORDER BY u.event_date DESC, u.unit_id LIMIT ?", MOST_RELATED);
        return new RelationsJson(
                Columns.all(
                        transaction,
                        entities,
                        row -> new NamedJson(Columns.id(row, "entity_id"), row.getString("canonical_name"))),
                Columns.all(
                        transaction,
                        linked(bank, id, MOST_RELATED),
                        row -> new LinkJson(
                                Columns.id(row, "other"),
                                row.getString("link_type"),
                                row.getBoolean("outgoing"),
                                row.getDouble("weight"))),
                Columns.all(transaction, partOf, row -> Columns.id(row, "unit_id")),
                Columns.all(transaction, replaces, row -> Columns.id(row, "unit_id")));
    }

    /** What a unit is linked with, the strongest first. */
    private static Select linked(Bank bank, UUID id, int most) {
        UUID host = bank.ref().host();
        return new Select("""
                SELECT other, link_type, outgoing, weight FROM (
                  SELECT to_unit_id AS other, link_type, true AS outgoing, weight FROM memory.agent_memory_link_t
                  WHERE host_id = ? AND bank_id = ? AND from_unit_id = ?
                  UNION ALL
                  SELECT from_unit_id, link_type, false, weight FROM memory.agent_memory_link_t
                  WHERE host_id = ? AND bank_id = ? AND to_unit_id = ?) l
                ORDER BY weight DESC, other, link_type, outgoing LIMIT ?
                """, host, bank.id(), id, host, bank.id(), id, most);
    }

    // ---- entities

    /** A page of entities, those that are mentioned most first. */
    List<EntityJson> entities(Bank bank, @Nullable String name, @Nullable Cursor after, int most) {
        var select = of(bank, "e", "SELECT " + EntityJson.COLUMNS + " FROM memory.agent_memory_entity_t e")
                .withIf(name, "AND strpos(lower(e.canonical_name), lower(?)) > 0");
        if (after != null) {
            select.with(
                    "AND e.mention_count <= ? AND (e.mention_count < ? OR e.entity_id > ?)",
                    after.firstNumber(),
                    after.firstNumber(),
                    after.id());
        }
        return all(bank, select.with("ORDER BY e.mention_count DESC, e.entity_id LIMIT ?", most), EntityJson::of);
    }

    /** An entity. */
    Optional<EntityJson> entity(Bank bank, UUID id) {
        var select = of(bank, "e", "SELECT " + EntityJson.COLUMNS + " FROM memory.agent_memory_entity_t e")
                .with("AND e.entity_id = ?", id);
        return first(bank, select, EntityJson::of);
    }

    /** With whom an entity is mentioned, those with whom it is most often first. */
    List<NeighbourJson> neighbours(Bank bank, UUID id, int most) {
        UUID host = bank.ref().host();
        var select = new Select("""
                SELECT e.entity_id, e.canonical_name, c.cooccur_count, c.last_cooccurred FROM (
                  (SELECT entity_id_2 AS entity_id, cooccur_count, last_cooccurred FROM memory.agent_memory_entity_cooccur_t
                   WHERE host_id = ? AND bank_id = ? AND entity_id_1 = ? ORDER BY cooccur_count DESC LIMIT ?)
                  UNION ALL
                  (SELECT entity_id_1, cooccur_count, last_cooccurred FROM memory.agent_memory_entity_cooccur_t
                   WHERE host_id = ? AND bank_id = ? AND entity_id_2 = ? ORDER BY cooccur_count DESC LIMIT ?)) c
                JOIN memory.agent_memory_entity_t e ON e.host_id = ? AND e.bank_id = ? AND e.entity_id = c.entity_id
                ORDER BY c.cooccur_count DESC, e.entity_id LIMIT ?
                """, host, bank.id(), id, most, host, bank.id(), id, most, host, bank.id(), most);
        return all(bank, select, NeighbourJson::of);
    }

    // ---- branches

    /** In what a branch differs from its bank, by the ids of units. */
    List<DifferenceJson> differences(Bank branch, @Nullable UUID after, int most) {
        var select = new Select("""
                SELECT unit_id, difference, bank_content, branch_content FROM memory.agent_memory_branch_diff_v
                WHERE host_id = ? AND branch_id = ? AND unit_id > ? ORDER BY unit_id LIMIT ?
                """, branch.ref().host(), branch.id(), after == null ? new UUID(0, 0) : after, most);
        return all(branch, select, DifferenceJson::of);
    }

    // ---- how it hangs together

    /** Around a unit, an entity, or what is newest: so many units at most, with what holds them together. */
    GraphJson graph(Bank bank, @Nullable UUID unit, @Nullable UUID entity, int most) {
        return database.in(bank.tenant(), transaction -> {
            Object units = Sql.texts(around(transaction, bank, unit, entity, most));
            var nodes = new ArrayList<NodeJson>(Columns.all(
                    transaction,
                    of(
                                    bank,
                                    "u",
                                    "SELECT u.unit_id, u.fact_type, u.content, u.event_date FROM memory.agent_memory_unit_t u")
                            .with("AND u.unit_id = ANY (?::uuid[]) ORDER BY u.event_date DESC, u.unit_id", units),
                    row -> new NodeJson(
                            Columns.id(row, "unit_id"),
                            "unit",
                            row.getString("fact_type"),
                            row.getString("content"),
                            Columns.time(row, "event_date"))));
            var edges = new ArrayList<EdgeJson>(Columns.all(
                    transaction,
                    of(
                                    bank,
                                    "l",
                                    "SELECT l.from_unit_id, l.to_unit_id, l.link_type, l.weight FROM memory.agent_memory_link_t l")
                            .with(
                                    "AND l.from_unit_id = ANY (?::uuid[]) AND l.to_unit_id = ANY (?::uuid[])",
                                    units,
                                    units)
                            .with(
                                    "ORDER BY l.weight DESC, l.from_unit_id, l.to_unit_id, l.link_type LIMIT ?",
                                    MOST_EDGES),
                    row -> new EdgeJson(
                            Columns.id(row, "from_unit_id"),
                            Columns.id(row, "to_unit_id"),
                            row.getString("link_type"),
                            row.getDouble("weight"))));
            var named = new LinkedHashMap<UUID, NodeJson>();
            edges.addAll(Columns.all(
                    transaction,
                    of(bank, "m", """
                                    SELECT m.unit_id, m.entity_id, e.canonical_name FROM memory.agent_memory_unit_entity_t m
                                    JOIN memory.agent_memory_entity_t e USING (host_id, bank_id, entity_id)
                                    """)
                            .with(
                                    "AND m.unit_id = ANY (?::uuid[]) ORDER BY m.unit_id, m.entity_id LIMIT ?",
                                    units,
                                    MOST_EDGES),
                    row -> {
                        UUID id = Columns.id(row, "entity_id");
                        named.put(id, new NodeJson(id, "entity", null, row.getString("canonical_name"), null));
                        return new EdgeJson(Columns.id(row, "unit_id"), id, "entity", 1);
                    }));
            nodes.addAll(named.values());
            return new GraphJson(nodes, edges);
        });
    }

    private static List<UUID> around(
            Transaction transaction, Bank bank, @Nullable UUID unit, @Nullable UUID entity, int most) {
        if (unit != null) {
            return Stream.concat(
                            Stream.of(unit),
                            Columns.all(transaction, linked(bank, unit, most), row -> Columns.id(row, "other"))
                                    .stream())
                    .distinct()
                    .limit(most)
                    .toList();
        }
        var select = entity == null
                ? of(bank, "u", "SELECT u.unit_id FROM memory.agent_memory_unit_t u")
                        .with("AND u.active ORDER BY u.event_date DESC, u.unit_id LIMIT ?", most)
                : of(bank, "m", "SELECT m.unit_id FROM memory.agent_memory_unit_entity_t m")
                        .with(
                                "AND m.entity_id = ? ORDER BY m.aggregate_version DESC, m.unit_id DESC LIMIT ?",
                                entity,
                                most);
        return Columns.all(transaction, select, row -> Columns.id(row, "unit_id"));
    }

    // ---- directives and receipts

    /** All directives, the most important first. */
    List<DirectiveJson> directives(Bank bank) {
        var select = of(bank, "r", "SELECT " + DirectiveJson.COLUMNS + " FROM memory.agent_memory_directive_t r")
                .with("ORDER BY r.priority DESC, r.name");
        return all(bank, select, DirectiveJson::of);
    }

    // ---- what was thought through

    /** A page of reflections, the newest first. */
    List<ReflectionJson> reflections(Bank bank, @Nullable Cursor after, int most) {
        var select = of(bank, "f", "SELECT " + ReflectionJson.COLUMNS + " FROM memory.agent_memory_reflection_t f");
        if (after != null) {
            select.with(
                    "AND f.update_ts <= ? AND (f.update_ts < ? OR f.reflection_id < ?)",
                    after.time(),
                    after.time(),
                    after.id());
        }
        return all(
                bank, select.with("ORDER BY f.update_ts DESC, f.reflection_id DESC LIMIT ?", most), ReflectionJson::of);
    }

    /** All mental models, by their names. */
    List<MentalModelJson> mentalModels(Bank bank) {
        return all(bank, mentalModel(bank).with("ORDER BY m.name"), MentalModelJson::of);
    }

    /** A mental model, with its versions. */
    Optional<MentalModelJson> mentalModel(Bank bank, UUID id) {
        var versions = of(bank, "v", "SELECT " + VersionJson.COLUMNS + " FROM memory.agent_memory_unit_version_t v")
                .with("AND v.unit_id = ? ORDER BY v.version DESC", id);
        return first(bank, mentalModel(bank).with("AND m.mental_model_id = ?", id), MentalModelJson::of)
                .map(model -> model.with(all(bank, versions, VersionJson::of)));
    }

    private static Select mentalModel(Bank bank) {
        return of(
                bank,
                "m",
                "SELECT " + MentalModelJson.COLUMNS + " FROM memory.agent_memory_mental_model_t m"
                        + " LEFT JOIN memory.agent_memory_unit_t u ON u.host_id = m.host_id AND u.bank_id = m.bank_id"
                        + " AND u.unit_id = m.mental_model_id AND u.active");
    }

    /** A page of receipts, the newest first. */
    List<ReceiptJson> receipts(Bank bank, @Nullable Long before, int most) {
        var select = of(bank, "x", "SELECT " + ReceiptJson.COLUMNS + " FROM memory.agent_memory_erasure_t x")
                .withIf(before, "AND x.aggregate_version < ?")
                .with("ORDER BY x.aggregate_version DESC LIMIT ?", most);
        return all(bank, select, ReceiptJson::of);
    }

    /** A receipt. */
    Optional<ReceiptJson> receipt(Bank bank, UUID id) {
        var select = of(bank, "x", "SELECT " + ReceiptJson.COLUMNS + " FROM memory.agent_memory_erasure_t x")
                .with("AND x.erasure_id = ?", id);
        return first(bank, select, ReceiptJson::of);
    }
}

package dev.parley.memory.api;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.BankScope;
import dev.parley.memory.api.BankJson.CountsJson;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Select;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Queries of banks, their counts, and receipts of erasures. */
@Singleton
@Requires(property = "parley.role.memory", value = "true")
final class BankQueries extends Queries {
    private static final String CANCELLED = "57014";
    private static final String UNITS = "unit ";
    private static final String COUNTS = """
            SELECT 'documents' AS what, count(*) AS n FROM memory.agent_memory_doc_t WHERE $bank
            UNION ALL SELECT 'waiting', coalesce(sum(cardinality(waiting)), 0)
              FROM memory.agent_memory_doc_t WHERE $bank AND waiting <> '{}'
            UNION ALL SELECT 'unit ' || fact_type, count(*)
              FROM memory.agent_memory_unit_t WHERE $bank AND active GROUP BY fact_type
            UNION ALL SELECT 'retired', count(*) FROM memory.agent_memory_unit_t WHERE $bank AND NOT active
            UNION ALL SELECT 'entities', count(*) FROM memory.agent_memory_entity_t WHERE $bank
            UNION ALL SELECT 'links', count(*) FROM memory.agent_memory_link_t WHERE $bank
            """;

    BankQueries(Database database) {
        super(database);
    }

    /** The bank with this id. */
    Optional<Bank> bank(UUID host, UUID id) {
        var select = new Select("SELECT " + Bank.COLUMNS + " FROM memory.agent_memory_bank_t b")
                .with("WHERE b.host_id = ? AND b.bank_id = ?", host, id);
        return database.in(Tenant.of(host), transaction -> Columns.first(transaction, select, Bank::of));
    }

    /** Banks of a host by id, without those of other users. */
    List<Bank> banks(
            UUID host,
            String user,
            @Nullable BankScope scope,
            @Nullable String project,
            @Nullable String agent,
            boolean inactive,
            @Nullable UUID after,
            int limit) {
        var select = new Select("SELECT " + Bank.COLUMNS + " FROM memory.agent_memory_bank_t b")
                .with("WHERE b.host_id = ? AND (b.user_id IS NULL OR b.user_id = ?)", host, user)
                .withIf(project, "AND b.project_key = ?")
                .withIf(agent, "AND b.agent = ?")
                .withIf(after, "AND b.bank_id > ?")
                .with(inactive ? "" : "AND b.active")
                .with(scope == null ? "" : "AND " + of(scope))
                .with("ORDER BY b.bank_id LIMIT ?", limit);
        return database.in(Tenant.of(host), transaction -> Columns.list(transaction, select, Bank::of));
    }

    private static String of(BankScope scope) {
        return switch (scope) {
            case HOST -> "b.project_id IS NULL";
            case AGENT -> "b.agent IS NOT NULL AND b.user_id IS NULL";
            case USER -> "b.agent IS NULL AND b.user_id IS NOT NULL";
            case USER_AGENT -> "b.agent IS NOT NULL AND b.user_id IS NOT NULL";
        };
    }

    /** Number of banks of the same user, or of all agents, in a project; counts at most {@code limit}. */
    long banksLike(BankRef ref, int limit) {
        var select = new Select(
                        "SELECT count(*) AS n FROM (SELECT FROM memory.agent_memory_bank_t WHERE host_id = ?",
                        ref.host())
                .with(
                        "AND project_id IS NOT DISTINCT FROM ?::uuid",
                        ref.projectId().orElse(null))
                .with("AND user_id IS NOT DISTINCT FROM ? LIMIT ?) AS found", ref.user(), limit);
        return database.in(
                Tenant.of(ref.host()),
                transaction -> Columns.first(transaction, select, row -> row.getLong("n"))
                        .orElse(0L));
    }

    /** Counts of the content of a bank; empty where the query takes too long. */
    Optional<CountsJson> counts(Bank bank) {
        var select = new Select(COUNTS.replace(
                "$bank",
                "host_id = '%s' AND bank_id = '%s'".formatted(bank.ref().host(), bank.id())));
        try {
            return Optional.of(counts(all(bank, select, row -> Map.entry(row.getString("what"), row.getLong("n")))));
        } catch (Sql.FailedException e) {
            if (e.state().equals(CANCELLED)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static CountsJson counts(List<Map.Entry<String, Long>> rows) {
        var counts = new HashMap<String, Long>();
        var units = new TreeMap<String, Long>();
        for (var row : rows) {
            if (row.getKey().startsWith(UNITS)) {
                units.put(row.getKey().substring(UNITS.length()), row.getValue());
            } else {
                counts.put(row.getKey(), row.getValue());
            }
        }
        return new CountsJson(
                counts.getOrDefault("documents", 0L),
                counts.getOrDefault("waiting", 0L),
                units,
                counts.getOrDefault("retired", 0L),
                counts.getOrDefault("entities", 0L),
                counts.getOrDefault("links", 0L));
    }

    /** A page of receipts, the newest first. */
    List<ReceiptJson> receipts(Bank bank, @Nullable Long before, int limit) {
        var select = of(bank, "x", "SELECT " + ReceiptJson.COLUMNS + " FROM memory.agent_memory_erasure_t x")
                .withIf(before, "AND x.aggregate_version < ?")
                .with("ORDER BY x.aggregate_version DESC LIMIT ?", limit);
        return all(bank, select, ReceiptJson::of);
    }

    /** A receipt. */
    Optional<ReceiptJson> receipt(Bank bank, UUID id) {
        var select = of(bank, "x", "SELECT " + ReceiptJson.COLUMNS + " FROM memory.agent_memory_erasure_t x")
                .with("AND x.erasure_id = ?", id);
        return first(bank, select, ReceiptJson::of);
    }
}

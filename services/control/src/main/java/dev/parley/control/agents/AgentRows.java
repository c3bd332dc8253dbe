package dev.parley.control.agents;

import dev.parley.control.definitions.AgentRow;
import dev.parley.control.definitions.GuardrailJson;
import dev.parley.control.http.Checks;
import dev.parley.control.http.JsonColumns;
import dev.parley.control.http.NewIds;
import dev.parley.domain.definition.Agent;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.definitions.CatalogueScope;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements that write {@code control.agent_definition_t}. */
final class AgentRows {
    private static final String HERE = " WHERE host_id = ? AND project_id IS NOT DISTINCT FROM ?::uuid AND active";
    private static final String COLUMNS = """
            description, prompt, provider, model, api_key_ref, temperature, top_p, max_tokens, thinking, mode, hidden, color,
            tools, skills, options, guardrails, max_steps, turn_timeout_ms, model_attempts, session_tokens, session_cost_nanos, compact_at, keep,
            max_queued, skill_tokens, update_user""";
    private static final String VALUES =
            "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?::jsonb, ?::jsonb, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?";

    private AgentRows() {}

    static int count(Transaction transaction, CatalogueScope scope) {
        return transaction.query(
                "SELECT count(*) FROM control.agent_definition_t" + HERE,
                row -> row.next() ? row.getInt(1) : 0,
                scope.host(),
                scope.project());
    }

    /** Inserts an agent, or reuses the row of a deleted one with a new agent id; 0 where the name is taken. */
    static int insert(Transaction transaction, AgentRow row, String user) {
        var values = new ArrayList<@Nullable Object>();
        Collections.addAll(
                values, row.host(), NewIds.next(), row.project(), row.agent().name());
        values.addAll(values(row, user));
        return transaction.update(
                """
                INSERT INTO control.agent_definition_t AS a (host_id, agent_def_id, project_id, name, %1$s)
                VALUES (?, ?, ?::uuid, ?, %2$s)
                ON CONFLICT (host_id, project_id, name) DO UPDATE SET (agent_def_id, active, aggregate_version, update_ts, %1$s) =
                  ROW (excluded.agent_def_id, true, a.aggregate_version + 1, now(), %3$s) WHERE NOT a.active
                """.formatted(COLUMNS, VALUES, COLUMNS.replaceAll("(\\w+)", "excluded.$1")), values.toArray());
    }

    static void update(Transaction transaction, AgentRow row, String user) {
        var values = new ArrayList<>(values(row, user));
        Collections.addAll(values, row.host(), row.project(), row.agent().name());
        transaction.update("""
                UPDATE control.agent_definition_t SET (aggregate_version, update_ts, %s) =
                  ROW (aggregate_version + 1, now(), %s)
                """.formatted(COLUMNS, VALUES) + HERE + " AND name = ?", values.toArray());
    }

    /** The values in the order of {@link #COLUMNS}. */
    private static List<@Nullable Object> values(AgentRow row, String user) {
        Agent agent = row.agent();
        Agent.Limits limits = agent.limits();
        return Arrays.asList(
                agent.description(),
                agent.prompt(),
                agent.provider(),
                agent.model(),
                agent.apiKeyRef(),
                agent.temperature(),
                agent.topP(),
                agent.maxTokens(),
                Checks.code(agent.thinking()),
                Checks.code(agent.mode()),
                agent.hidden(),
                row.color(),
                JsonColumns.text(JsonNode.from(agent.tools())),
                JsonColumns.text(AgentRow.json(agent.skills())),
                JsonColumns.text(JsonNode.from(agent.options())),
                JsonColumns.text(GuardrailJson.json(agent.guardrails())),
                limits.maxSteps(),
                limits.turnTimeout().toMillis(),
                limits.modelAttempts(),
                limits.sessionTokens(),
                limits.sessionCostNanos(),
                limits.compactAt(),
                limits.keep(),
                limits.maxQueued(),
                limits.skillTokens(),
                user);
    }

    static void delete(Transaction transaction, CatalogueScope scope, String name, String user) {
        transaction.update(
                "UPDATE control.agent_definition_t SET active = false, aggregate_version = aggregate_version + 1, update_ts = now(),"
                        + " update_user = ?" + HERE + " AND name = ?",
                user,
                scope.host(),
                scope.project(),
                name);
    }
}

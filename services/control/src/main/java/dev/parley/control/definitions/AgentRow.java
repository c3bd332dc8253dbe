package dev.parley.control.definitions;

import dev.parley.control.http.JsonColumns;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.AgentSkill;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.definitions.CatalogueScope;
import io.micronaut.json.tree.JsonNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code control.agent_definition_t}.
 *
 * @param project null for a host agent
 * @param color for user interfaces; not part of any prompt
 * @param version the version of the row; the version of the agent is derived from its content
 */
@RecordBuilder
public record AgentRow(
        UUID host,
        @Nullable UUID project,
        Agent agent,
        @Nullable String color,
        Instant updatedAt,
        long version,
        boolean active)
        implements AgentRowBuilder.With {
    /** Selects the rows of a host; further conditions follow. */
    public static final String SELECT = "SELECT * FROM control.agent_definition_t WHERE host_id = ?";

    private static final String ONE = SELECT + " AND project_id IS NOT DISTINCT FROM ?::uuid AND name = ? AND active";

    /** Maps the current row. */
    public static AgentRow of(ResultSet row) throws SQLException {
        return new AgentRow(
                Columns.uuid(row, "host_id"),
                Columns.uuidOrNull(row, "project_id"),
                agent(row).defined(Columns.uuid(row, "agent_def_id")),
                row.getString("color"),
                Columns.time(row, "update_ts"),
                row.getLong("aggregate_version"),
                row.getBoolean("active"));
    }

    /** The id of the agent, unchanged from definition to deletion. */
    public UUID id() {
        return Objects.requireNonNull(agent.id(), "every row has one");
    }

    /** A copy of the row with the id of another row. */
    public AgentRow in(AgentRow other) {
        return withAgent(agent.defined(other.id()));
    }

    private static Agent agent(ResultSet row) throws SQLException {
        return new Agent(
                null,
                row.getString("name"),
                "",
                row.getString("description"),
                AgentMode.valueOf(word(row, "mode")),
                row.getBoolean("hidden"),
                row.getString("provider"),
                row.getString("model"),
                row.getString("api_key_ref"),
                row.getString("prompt"),
                tools(JsonColumns.json(row, "tools")),
                skills(JsonColumns.json(row, "skills")),
                row.getObject("temperature", Double.class),
                row.getObject("top_p", Double.class),
                row.getObject("max_tokens", Integer.class),
                ThinkingLevel.valueOf(word(row, "thinking")),
                limits(row),
                options(JsonColumns.json(row, "options")),
                GuardrailJson.read("guardrails", JsonColumns.json(row, "guardrails")));
    }

    private static String word(ResultSet row, String column) throws SQLException {
        return row.getString(column).toUpperCase(Locale.ROOT);
    }

    private static Agent.Limits limits(ResultSet row) throws SQLException {
        return new Agent.Limits(
                row.getInt("max_steps"),
                Duration.ofMillis(row.getLong("turn_timeout_ms")),
                row.getInt("model_attempts"),
                row.getObject("session_tokens", Long.class),
                row.getObject("session_cost_nanos", Long.class),
                row.getInt("compact_at"),
                row.getInt("keep"),
                row.getInt("max_queued"),
                row.getInt("skill_tokens"));
    }

    private static List<String> tools(JsonNode json) {
        var tools = new ArrayList<String>();
        json.values().forEach(tool -> tools.add(tool.getStringValue()));
        return tools;
    }

    private static List<AgentSkill> skills(JsonNode json) {
        var skills = new ArrayList<AgentSkill>();
        json.values()
                .forEach(skill -> skills.add(new AgentSkill(
                        JsonColumns.member(skill, "name").getStringValue(),
                        JsonColumns.text(skill, "version"),
                        JsonColumns.member(skill, "priority").getIntValue(),
                        JsonColumns.text(skill, "config"))));
        return skills;
    }

    /** Skills as their column stores them. */
    public static JsonNode json(List<AgentSkill> skills) {
        return JsonNode.createArrayNode(skills.stream()
                .map(skill -> {
                    var members = new TreeMap<String, JsonNode>();
                    members.put("name", JsonNode.from(skill.name()));
                    members.put("version", JsonNode.from(skill.version()));
                    members.put("priority", JsonNode.from(skill.priority()));
                    members.put("config", JsonNode.from(skill.config()));
                    return JsonNode.createObjectNode(members);
                })
                .toList());
    }

    private static Map<String, String> options(JsonNode json) {
        var options = new TreeMap<String, String>();
        json.entries()
                .forEach(
                        option -> options.put(option.getKey(), option.getValue().getStringValue()));
        return options;
    }

    /** The active agent of the scope with this name. */
    public static Optional<AgentRow> find(Transaction transaction, CatalogueScope scope, String name) {
        return find(transaction, ONE, scope, name);
    }

    /** The active agent of the scope with this name, locked until the transaction ends. */
    public static Optional<AgentRow> locked(Transaction transaction, CatalogueScope scope, String name) {
        return find(transaction, ONE + " FOR UPDATE", scope, name);
    }

    private static Optional<AgentRow> find(Transaction transaction, String sql, CatalogueScope scope, String name) {
        return transaction.query(sql, Columns.first(AgentRow::of), scope.host(), scope.project(), name);
    }

    /** A copy of the row without its own key. */
    public AgentRow withoutKey() {
        return withAgent(agent.withoutKey());
    }
}

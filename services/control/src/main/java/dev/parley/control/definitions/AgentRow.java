package dev.parley.control.definitions;

import dev.parley.control.http.Checks;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.AgentSkill;
import dev.parley.domain.definition.ThinkingLevel;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.json.tree.JsonNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code control.agent_definition_t}.
 *
 * @param agentDefId the id of the agent, unchanged from definition to deletion; null before
 * @param projectId null for a host agent
 * @param color for user interfaces; not part of any prompt
 * @param tools JSON, as are skills, options and guardrails
 * @param version the version of the row; the version of the agent is derived from its content
 */
@RecordBuilder
@MappedEntity(value = "agent_definition_t", schema = "control")
public record AgentRow(
        UUID hostId,
        @Nullable @Id UUID agentDefId,
        @Nullable UUID projectId,
        String name,
        String description,
        String prompt,
        String provider,
        String model,
        @Nullable String apiKeyRef,
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Integer maxTokens,
        String thinking,
        String mode,
        boolean hidden,
        @Nullable String color,
        String tools,
        String skills,
        String options,
        String guardrails,
        int maxSteps,
        long turnTimeoutMs,
        int modelAttempts,
        @Nullable Long sessionTokens,
        @Nullable Long sessionCostNanos,
        int compactAt,
        int keep,
        int maxQueued,
        int skillTokens,
        @MappedProperty("aggregate_version") long version,
        boolean active,
        @MappedProperty("update_ts") Instant updatedAt,
        @MappedProperty("update_user") String updatedBy)
        implements AgentRowBuilder.With {

    /** An agent that is not stored yet. */
    public static AgentRow of(DefinitionScope scope, Agent agent, @Nullable String color) {
        Agent.Limits limits = agent.limits();
        return new AgentRow(
                scope.host(),
                null,
                scope.projectId(),
                agent.name(),
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
                color,
                JsonColumns.text(JsonNode.from(agent.tools())),
                JsonColumns.text(json(agent.skills())),
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
                0,
                true,
                Instant.now(),
                scope.caller().user());
    }

    /** The id of a stored agent. */
    public UUID id() {
        return Objects.requireNonNull(agentDefId, "every row has one");
    }

    public Agent agent() {
        return new Agent(
                        agentDefId,
                        name,
                        "",
                        description,
                        AgentMode.valueOf(mode.toUpperCase(Locale.ROOT)),
                        hidden,
                        provider,
                        model,
                        apiKeyRef,
                        prompt,
                        tools(JsonColumns.tree(tools)),
                        skills(JsonColumns.tree(skills)),
                        temperature,
                        topP,
                        maxTokens,
                        ThinkingLevel.valueOf(thinking.toUpperCase(Locale.ROOT)),
                        limits(),
                        options(JsonColumns.tree(options)),
                        GuardrailJson.read("guardrails", JsonColumns.tree(guardrails)))
                .withContentVersion();
    }

    private Agent.Limits limits() {
        return new Agent.Limits(
                maxSteps,
                Duration.ofMillis(turnTimeoutMs),
                modelAttempts,
                sessionTokens,
                sessionCostNanos,
                compactAt,
                keep,
                maxQueued,
                skillTokens);
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
    private static JsonNode json(List<AgentSkill> skills) {
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
}

package dev.parley.control.permissions;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.RuleRow;
import dev.parley.control.http.Checks;
import dev.parley.domain.Coded;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A rule for tool calls: allow, ask or deny.
 *
 * @param agent Name of the agent to whose turns the rule is limited; null for all agents.
 * @param tool Name of the tool; * for all tools.
 * @param pattern Pattern for the subject of a call: a path, a URL or the words of a command. Defaults to every subject.
 * @param action Action: allow, ask or deny.
 * @param locked True for a deny rule that no rule of a nearer level overrides.
 * @param expiresAt Time at which the rule expires; null if it does not expire.
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "NewPermissionRule")
record RuleBody(
        @Nullable String agent,
        @Nullable String tool,
        @Nullable String pattern,
        @Nullable String action,
        @Nullable Boolean locked,
        @Nullable Instant expiresAt) {

    /** @throws dev.parley.platform.http.ApiException 400 naming the invalid field */
    PermissionRule rule(DefinitionScope scope, UUID id) {
        String toolName = Checks.requireText("tool", tool, 126);
        String subjectPattern =
                pattern == null ? PermissionRule.EVERYTHING : Checks.requireText("pattern", pattern, 1_024);
        String agentName = Checks.optional("agent", agent, 126);
        PermissionAction decision = decision();
        Checks.future("expiresAt", expiresAt);
        try {
            return new PermissionRule(
                    id,
                    RuleRow.level(scope.projectId(), agentName),
                    agentName == null ? null : PermissionRule.name(agentName),
                    PermissionRule.tool(toolName),
                    subjectPattern,
                    decision,
                    Boolean.TRUE.equals(locked),
                    expiresAt,
                    scope.caller().user());
        } catch (IllegalArgumentException e) {
            throw Checks.invalid("tool", "and 'agent' must be names of 1 to 126 letters, digits, '_', '.' or '-'");
        }
    }

    private PermissionAction decision() {
        PermissionAction decision = Coded.of(PermissionAction.class, action)
                .orElseThrow(() -> Checks.invalid("action", "must be allow, ask or deny"));
        if (Boolean.TRUE.equals(locked) && decision != PermissionAction.DENY) {
            throw Checks.invalid("locked", "is valid only with the action deny");
        }
        return decision;
    }
}

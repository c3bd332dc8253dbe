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

/** Request body that creates a permission rule. */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "NewPermissionRule", description = "What is to become of some tool calls.")
record RuleBody(
        @Schema(description = "Of turns of this agent alone.") @Nullable
        String agent,

        @Schema(description = "Name of a tool; * for all of them.") @Nullable
        String tool,

        @Schema(
                description =
                        "Of what a call is about: a path, a URL or the words of a command; without one everything.")
        @Nullable
        String pattern,

        @Schema(description = "allow, ask or deny.") @Nullable
        String action,

        @Schema(description = "With deny: no rule of a nearer level overrides it.") @Nullable
        Boolean locked,

        @Schema(description = "When it ends.") @Nullable Instant expiresAt) {

    /** @throws dev.parley.platform.http.ApiException 400 naming the invalid field */
    PermissionRule rule(DefinitionScope scope, UUID id) {
        String toolName = Checks.required("tool", tool, 126);
        String subject = pattern == null ? PermissionRule.EVERYTHING : Checks.required("pattern", pattern, 1_024);
        String agentName = Checks.optional("agent", agent, 126);
        PermissionAction decision = decision();
        Checks.future("expiresAt", expiresAt);
        try {
            return new PermissionRule(
                    id,
                    RuleRow.level(scope.projectId(), agentName),
                    agentName == null ? null : PermissionRule.name(agentName),
                    PermissionRule.tool(toolName),
                    subject,
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

package dev.parley.control.permissions;

import dev.parley.control.definitions.RuleRow;
import dev.parley.domain.permission.PermissionRule;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A rule for tool calls: allow, ask or deny.
 *
 * @param level Level of the rule: builtin, installation, host, project, agent or session.
 * @param agent Name of the agent for a rule of an agent; null for other rules.
 * @param tool Name of the tool; * for all tools.
 * @param action Action: allow, ask or deny.
 * @param locked True if no rule of a nearer level overrides the rule.
 * @param by Creator of the rule; null for rules of Parley itself.
 * @param createdAt Time of creation; null if the rule was not created through this API.
 */
@Serdeable
@Schema(name = "PermissionRule", description = "A rule for tool calls: allow, ask or deny.")
record RuleJson(
        UUID id,
        String level,
        @Nullable String agent,
        String tool,
        String pattern,
        String action,
        boolean locked,
        @Nullable Instant expiresAt,
        @Nullable String by,
        @Nullable Instant createdAt) {
    static RuleJson of(RuleRow row) {
        return of(row.rule(), row.createdAt());
    }

    static RuleJson of(PermissionRule rule) {
        return of(rule, null);
    }

    private static RuleJson of(PermissionRule rule, @Nullable Instant createdAt) {
        return new RuleJson(
                rule.id(),
                rule.level().name().toLowerCase(Locale.ROOT),
                rule.agent(),
                rule.tool(),
                rule.pattern(),
                rule.action().code(),
                rule.locked(),
                rule.expires(),
                rule.createdBy(),
                createdAt);
    }
}

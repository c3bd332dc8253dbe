package dev.parley.control.permissions;

import dev.parley.control.definitions.RuleRow;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.platform.document.Stored.Refused;
import dev.parley.platform.document.Stored.Valid;
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
 * @param problem Why this build refuses the rule, which denies all calls of its host or project then; null else.
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
        @Nullable Instant createdAt,
        @Nullable String problem) {
    static RuleJson of(RuleRow row) {
        return switch (row.stored()) {
            case Valid<PermissionRule>(PermissionRule rule) -> of(rule, row.createdAt(), null);
            case Refused<PermissionRule> refused ->
                new RuleJson(
                        row.ruleId(),
                        row.level(),
                        row.agent(),
                        row.tool(),
                        row.pattern(),
                        row.action(),
                        row.locked(),
                        row.expiresAt(),
                        row.updatedBy(),
                        row.createdAt(),
                        refused.problem() + ". All calls are denied instead");
        };
    }

    static RuleJson of(PermissionRule rule) {
        return of(rule, null, null);
    }

    private static RuleJson of(PermissionRule rule, @Nullable Instant createdAt, @Nullable String problem) {
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
                createdAt,
                problem);
    }
}

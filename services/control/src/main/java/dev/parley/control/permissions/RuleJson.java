package dev.parley.control.permissions;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.definitions.RuleRow;
import dev.parley.domain.permission.PermissionRule;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A permission rule as clients see it. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "PermissionRule", description = "What is to become of some tool calls.")
record RuleJson(
        UUID id,

        @Schema(description = "How far it reaches: builtin, installation, host, project, agent or session.")
        String level,

        @Schema(description = "Of a rule of an agent its name, or null.") @Nullable
        String agent,

        @Schema(description = "Name of a tool; * for all of them.")
        String tool,

        String pattern,
        @Schema(description = "allow, ask or deny.") String action,

        @Schema(description = "Whether no rule of a nearer level overrides it.")
        boolean locked,

        @Nullable Instant expiresAt,

        @Schema(description = "Who made it; null for Parley itself.") @Nullable
        String by,

        @Schema(description = "Null where it was not made here.") @Nullable
        Instant createdAt) {
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

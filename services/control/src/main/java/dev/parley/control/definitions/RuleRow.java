package dev.parley.control.definitions;

import dev.parley.domain.definition.DefinedRule;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A permission rule of a host, a project or an agent.
 *
 * @param projectId null for a rule of all projects of the host
 * @param action {@code allow}, {@code ask} or {@code deny}
 */
@MappedEntity(value = "permission_rule_t", schema = "control")
public record RuleRow(
        UUID hostId,
        @Id UUID ruleId,
        @Nullable UUID projectId,
        @Nullable String agent,
        String tool,
        String pattern,
        String action,
        boolean locked,
        @Nullable @MappedProperty("expires_ts") Instant expiresAt,
        @MappedProperty("created_ts") Instant createdAt,
        @MappedProperty("update_user") String updatedBy) {

    public PermissionRule rule() {
        return new PermissionRule(
                ruleId,
                level(projectId, agent),
                agent,
                tool,
                pattern,
                PermissionAction.valueOf(action.toUpperCase(Locale.ROOT)),
                locked,
                expiresAt,
                updatedBy);
    }

    /** Its record on {@code definitions}. */
    public DefinedRule toDefinition() {
        return new DefinedRule(rule());
    }

    /** The level of a rule of a host or a project. */
    public static RuleLevel level(@Nullable UUID project, @Nullable String agent) {
        return agent != null ? RuleLevel.AGENT : project != null ? RuleLevel.PROJECT : RuleLevel.HOST;
    }
}

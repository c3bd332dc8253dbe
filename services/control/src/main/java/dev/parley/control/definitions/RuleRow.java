package dev.parley.control.definitions;

import dev.parley.domain.Coded;
import dev.parley.domain.definition.DefinedRule;
import dev.parley.domain.document.FaultException;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import dev.parley.platform.document.Stored;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
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

    /** The rule, or why this build refuses it. */
    public Stored<PermissionRule> stored() {
        return Stored.of(document(), this::read);
    }

    private PermissionRule read() {
        PermissionAction known = Coded.of(PermissionAction.class, action)
                .orElseThrow(() -> new FaultException("action", "must be allow, ask or deny"));
        return new PermissionRule(
                ruleId, level(projectId, agent), agent, tool, pattern, known, locked, expiresAt, updatedBy);
    }

    /** The rule as a document, also where this build refuses it. */
    private Map<String, @Nullable Object> document() {
        var document = new LinkedHashMap<String, @Nullable Object>();
        document.put("agent", agent);
        document.put("tool", tool);
        document.put("pattern", pattern);
        document.put("action", action);
        document.put("locked", locked);
        document.put("expiresAt", expiresAt == null ? null : expiresAt.toString());
        return document;
    }

    /**
     * Its record on {@code definitions}.
     *
     * @throws dev.parley.platform.document.InvalidDocumentException where this build refuses the rule
     */
    public DefinedRule toDefinition() {
        return new DefinedRule(stored().require());
    }

    /** The code of its level. */
    public String level() {
        return level(projectId, agent).name().toLowerCase(Locale.ROOT);
    }

    /** The level of a rule of a host or a project. */
    public static RuleLevel level(@Nullable UUID project, @Nullable String agent) {
        return agent != null ? RuleLevel.AGENT : project != null ? RuleLevel.PROJECT : RuleLevel.HOST;
    }
}

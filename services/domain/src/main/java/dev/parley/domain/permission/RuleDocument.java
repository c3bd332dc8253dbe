package dev.parley.domain.permission;

import dev.parley.domain.document.Checked;
import dev.parley.domain.document.Fault;
import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A permission rule as a document. A blank agent or pattern is refused: without them a rule is for everything.
 *
 * @param agent to whose turns the rule is limited, or null for all agents
 * @param tool as {@link PermissionRule#tool}
 * @param pattern as {@link PermissionRule#pattern}; every subject by default
 * @param locked as {@link PermissionRule#locked}
 * @param expires or null
 */
public record RuleDocument(
        @Field(form = Form.VERBATIM, pattern = PermissionRule.NAME, problem = RuleDocument.NO_NAME) @Nullable
        String agent,

        @Field(
                required = true,
                pattern = PermissionRule.TOOL,
                problem = "must be *, @read, @write, @execute, or 1 to 126 letters, digits, '_', '.' or '-'")
        String tool,

        @Field(form = Form.VERBATIM, fallback = PermissionRule.EVERYTHING, length = Pattern.MAX_LENGTH)
        String pattern,

        @Field(required = true) PermissionAction action,
        @Field boolean locked,

        @Field(name = "expiresAt", problem = "must be a time, such as 1970-01-01T00:00:00Z") @Nullable
        Instant expires)
        implements Checked {
    static final String NO_NAME = "must be 1 to 126 letters, digits, '_', '.' or '-'";

    /** The document of a rule. */
    public static RuleDocument of(PermissionRule rule) {
        return new RuleDocument(
                rule.agent(), rule.tool(), rule.pattern(), rule.action(), rule.locked(), rule.expires());
    }

    @Override
    public List<Fault> faults(Set<String> given) {
        var faults = new ArrayList<Fault>();
        if (pattern.isBlank()) {
            faults.add(new Fault("pattern", Fault.MISSING));
        } else if (pattern.length() > Pattern.MAX_LENGTH) {
            faults.add(new Fault("pattern", "must have at most " + Pattern.MAX_LENGTH + " characters"));
        }
        if (locked && action != PermissionAction.DENY) {
            faults.add(new Fault("locked", "is valid only with the action deny"));
        }
        return faults;
    }

    /** The rule of a valid document. */
    public PermissionRule rule(UUID id, RuleLevel level, @Nullable String createdBy) {
        return new PermissionRule(id, level, agent, tool, pattern, action, locked, expires, createdBy);
    }
}

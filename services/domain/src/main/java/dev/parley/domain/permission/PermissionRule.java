package dev.parley.domain.permission;

import dev.parley.domain.Ids;
import dev.parley.domain.document.FaultException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A permission rule for tool calls. Whether it applies to a host or a project depends on where it is defined.
 *
 * @param id referenced by decisions
 * @param level of precedence
 * @param agent of an {@link RuleLevel#AGENT} rule, else null
 * @param tool name of a tool; {@code @read}, {@code @write} or {@code @execute} for all tools up to that access; or
 *     {@code *} for all
 * @param pattern of the call's {@linkplain Subject#value subject}: {@code *} within a segment, {@code **} across
 *     segments, {@code ?} one character
 * @param locked with {@link PermissionAction#DENY}: permanent, no rule of a nearer level overrides it
 * @param expires or null
 * @param createdBy user, or null for built-in rules
 */
public record PermissionRule(
        UUID id,
        RuleLevel level,
        @Nullable String agent,
        String tool,
        String pattern,
        PermissionAction action,
        boolean locked,
        @Nullable Instant expires,
        @Nullable String createdBy) {
    /** Matches every tool. */
    public static final String ANY = "*";

    /** Pattern of the names of agents and tools in rules. */
    static final String NAME = "[A-Za-z0-9_.-]{1,126}";

    /** Pattern of the tools of rules. */
    static final String TOOL = "\\*|@(read|write|execute)|" + NAME;

    /** Matches every value. */
    public static final String EVERYTHING = "**";

    public PermissionRule {
        if ((level == RuleLevel.AGENT) == (agent == null)) {
            throw new IllegalArgumentException("a rule of an agent names it, and no other rule does");
        }
        if (locked && action != PermissionAction.DENY) {
            throw new FaultException("locked", "is valid only with the action deny");
        }
        Pattern.check(pattern);
    }

    /**
     * Session rules that allow exactly these values of a tool; values that are too long for a rule have none and need
     * approval again.
     */
    public static List<PermissionRule> allowing(UUID approval, String tool, List<String> values, String createdBy) {
        return values.stream()
                .filter(value -> Pattern.literal(value).length() <= Pattern.MAX_LENGTH)
                .map(value -> new PermissionRule(
                        Ids.of("permission", approval, value),
                        RuleLevel.SESSION,
                        null,
                        tool,
                        value.isEmpty() ? EVERYTHING : Pattern.literal(value),
                        PermissionAction.ALLOW,
                        false,
                        null,
                        createdBy))
                .toList();
    }

    /**
     * What takes the place of a rule that this build cannot read: all calls are denied, as the rule could be a denial.
     *
     * @param ofProject whether it is the rule of a project, or of a host
     */
    public static PermissionRule refused(UUID id, boolean ofProject) {
        return new PermissionRule(
                id,
                ofProject ? RuleLevel.PROJECT : RuleLevel.HOST,
                null,
                ANY,
                EVERYTHING,
                PermissionAction.DENY,
                true,
                null,
                null);
    }

    /** The id of a rule that is set for a session, and so for everybody who writes in it. */
    public static UUID idInSession(String tool, String pattern, PermissionAction action) {
        return Ids.of("permission", "session", tool, pattern, action);
    }

    /** Whether the rule was set for its session; otherwise it follows from an answer, and is for one user's turns. */
    public boolean isForSession() {
        return action != PermissionAction.ALLOW || id.equals(idInSession(tool, pattern, action));
    }

    /**
     * Validates the tool of a rule: a name, {@link #ANY} or a category.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static String tool(String name) {
        if (!name.matches(TOOL)) {
            throw new IllegalArgumentException(
                    "a name is 1 to 126 letters, digits, '_', '.' or '-', not '" + name + "'");
        }
        return name;
    }

    /** This rule with another creator. */
    public PermissionRule by(@Nullable String somebody) {
        return new PermissionRule(id, level, agent, tool, pattern, action, locked, expires, somebody);
    }

    boolean isAbout(Permissions.Call call) {
        return tool.equals(ANY) || tool.equals(call.tool()) || tool.equals(call.category());
    }

    /** Specificity of the tool: a name ranks above a category, which ranks above {@link #ANY}. */
    int specificity() {
        return switch (tool.charAt(0)) {
            case '*' -> 0;
            case '@' -> 1;
            default -> 2;
        };
    }

    boolean holdsFor(String calledAgent, Instant now) {
        return (agent == null || agent.equals(calledAgent)) && (expires == null || expires.isAfter(now));
    }
}

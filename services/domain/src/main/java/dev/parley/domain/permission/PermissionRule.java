package dev.parley.domain.permission;

import dev.parley.domain.Ids;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of some tool calls. Whether it holds in a host or a project is a matter of where it is defined.
 *
 * @param id by which decisions name it
 * @param level how far it reaches
 * @param agent of an {@link RuleLevel#AGENT} rule, else null
 * @param tool name of a tool, {@code @read}, {@code @write} or {@code @execute} for all that do no more than that kind of thing, or
 *     {@code *} for all of them
 * @param pattern of the {@linkplain Subject#value value} that a call is about: {@code *} within a segment, {@code **} across,
 *     {@code ?} one character
 * @param locked with {@link PermissionAction#DENY}: no rule of a nearer level overrides it
 * @param expires when it ends, or null
 * @param createdBy who made it, or null for Parley itself
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
    /** Stands for every tool. */
    public static final String ANY = "*";

    private static final String CATEGORY = "@(read|write|execute)";

    /** Matches every value. */
    public static final String EVERYTHING = "**";

    public PermissionRule {
        if ((level == RuleLevel.AGENT) == (agent == null)) {
            throw new IllegalArgumentException("a rule of an agent names it, and no other rule does");
        }
        if (locked && action != PermissionAction.DENY) {
            throw new IllegalArgumentException("only what is denied can be locked");
        }
        Pattern.check(pattern);
    }

    /** Rules that allow a session these values of a tool, and nothing else; what is too long for a rule is asked again. */
    public static List<PermissionRule> allowing(UUID approval, String tool, List<String> values, String by) {
        return values.stream()
                .filter(value -> Pattern.literal(value).length() <= Pattern.MOST)
                .map(value -> new PermissionRule(
                        Ids.of("permission", approval, value),
                        RuleLevel.SESSION,
                        null,
                        tool,
                        value.isEmpty() ? EVERYTHING : Pattern.literal(value),
                        PermissionAction.ALLOW,
                        false,
                        null,
                        by))
                .toList();
    }

    /**
     * Checks the name of a tool or an agent in a rule.
     *
     * @throws IllegalArgumentException when neither can have it
     */
    public static String name(String name) {
        if (!name.matches("[A-Za-z0-9_.-]{1,126}")) {
            throw new IllegalArgumentException(
                    "a name is 1 to 126 letters, digits, '_', '.' or '-', not '" + name + "'");
        }
        return name;
    }

    /** The same for the tool of a rule, which may be {@link #ANY} or a category. */
    public static String tool(String name) {
        return name.equals(ANY) || name.matches(CATEGORY) ? name : name(name);
    }

    /** The same rule, made by somebody else. */
    public PermissionRule by(@Nullable String somebody) {
        return new PermissionRule(id, level, agent, tool, pattern, action, locked, expires, somebody);
    }

    boolean isAbout(Permissions.Call call) {
        return tool.equals(ANY) || tool.equals(call.tool()) || tool.equals(call.category());
    }

    /** How much it says about the tool: a name more than a category, and that more than nothing. */
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

package dev.parley.domain.permission;

import dev.parley.domain.Ids;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Evaluation of permission rules. A permanent (locked) denial always applies. Otherwise the nearest level decides, on
 * it the most specific rule, and among equally specific ones the strictest. If no rule matches, approval is needed. A
 * call with several values gets the strictest decision of any of them.
 */
public final class Permissions {
    /** Built-in tools that affect the conversation only. */
    private static final List<String> HARMLESS = List.of(
            "load_skill",
            "unload_skill",
            "tool_search",
            "session_search",
            "memory_recall",
            "memory_reflect",
            "memory_retain",
            "message",
            "delegate",
            "echo",
            "time",
            "send_file",
            "todo_write",
            "todo_read");

    /** Built-in rules, which all others override. */
    public static final List<PermissionRule> BUILTIN = HARMLESS.stream()
            .map(tool -> new PermissionRule(
                    Ids.of("permission", "builtin", tool),
                    RuleLevel.BUILTIN,
                    null,
                    tool,
                    PermissionRule.EVERYTHING,
                    PermissionAction.ALLOW,
                    false,
                    null,
                    null))
            .toList();

    /** Nearest, most specific and strictest first. */
    private static final Comparator<PermissionRule> ORDER = Comparator.<PermissionRule, Boolean>comparing(
                    rule -> rule.locked())
            .thenComparing(PermissionRule::level)
            .thenComparingInt(PermissionRule::specificity)
            .thenComparingInt(rule -> Pattern.specificity(rule.pattern()))
            .thenComparing(PermissionRule::action)
            .reversed()
            .thenComparing(PermissionRule::id);

    private Permissions() {}

    /**
     * The call to decide about.
     *
     * @param agent of the turn
     * @param tool name
     * @param category of the tool, as in {@link PermissionRule#tool}
     */
    public record Call(String agent, String tool, String category, Subject subject) {}

    /** Decides about a call. */
    public static Decision decide(Collection<PermissionRule> rules, Call call, Instant now) {
        return call.subject().values().stream()
                .map(value -> winner(rules, call, value, now))
                .map(rule -> rule == null
                        ? new Decision(PermissionAction.ASK, null)
                        : new Decision(rule.action(), rule.id()))
                .max(Comparator.comparing(Decision::action))
                .orElseThrow();
    }

    private static @Nullable PermissionRule winner(
            Collection<PermissionRule> rules, Call call, String value, Instant now) {
        return about(rules, call, value, now).min(ORDER).orElse(null);
    }

    /** All matching rules, the deciding one first. */
    public static List<PermissionRule> matchingRules(
            Collection<PermissionRule> rules, Call call, String value, Instant now) {
        return about(rules, call, value, now).sorted(ORDER).toList();
    }

    private static Stream<PermissionRule> about(
            Collection<PermissionRule> rules, Call call, String value, Instant now) {
        Subject.Kind kind = call.subject().kind();
        return rules.stream()
                .filter(rule -> rule.isAbout(call)
                        && rule.holdsFor(call.agent(), now)
                        && Pattern.matches(pattern(rule, kind), value, kind == Subject.Kind.COMMAND));
    }

    private static String pattern(PermissionRule rule, Subject.Kind kind) {
        return kind == Subject.Kind.URL ? UrlEscapes.pattern(rule.pattern()) : rule.pattern();
    }
}

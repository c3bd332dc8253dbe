package dev.parley.domain.permission;

import dev.parley.domain.Ids;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides about tool calls by rules. In this order: what is denied for good (locked) is denied; then the nearest level decides,
 * on it the most specific rule, and of those that are equally specific the strictest. Where no rule says anything a person
 * is asked. A call that is about several values is decided as strictly as any of them.
 */
public final class Permissions {
    /** Tools of Parley that touch nothing but the conversation. */
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

    /** Parley's own rules, which all others go before. */
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

    /** The nearest, most specific and strictest rule comes first. */
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
     * What a call is about.
     *
     * @param agent whose turn it is
     * @param tool that it calls
     * @param category of the tool, as {@link PermissionRule#tool} has it
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

    /** All rules that say something of one of a call's values; the one that decides comes first. */
    public static List<PermissionRule> considered(
            Collection<PermissionRule> rules, Call call, String value, Instant now) {
        return about(rules, call, value, now).sorted(ORDER).toList();
    }

    private static Stream<PermissionRule> about(
            Collection<PermissionRule> rules, Call call, String value, Instant now) {
        boolean words = call.subject().kind() == Subject.Kind.COMMAND;
        return rules.stream()
                .filter(rule -> rule.isAbout(call)
                        && rule.holdsFor(call.agent(), now)
                        && Pattern.matches(rule.pattern(), value, words));
    }
}

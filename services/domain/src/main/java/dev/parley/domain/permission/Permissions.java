package dev.parley.domain.permission;

import dev.parley.domain.Ids;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
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
            "todo_read",
            "remind",
            "reminders",
            "ask_operator");

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
        Decision decision = call.subject().values().stream()
                .map(value -> winner(rules, call, value, now))
                .map(rule -> rule == null
                        ? new Decision(PermissionAction.ASK, null)
                        : new Decision(rule.action(), rule.id()))
                .max(Comparator.comparing(Decision::action))
                .orElseThrow();
        return Stream.concat(Stream.of(decision), hidden(rules, call, now))
                .max(Comparator.comparing(Decision::action))
                .orElseThrow();
    }

    /** What rules that name a hidden command decide about it; a call that is allowed literally needs no more approval. */
    private static Stream<Decision> hidden(Collection<PermissionRule> rules, Call call, Instant now) {
        if (call.subject().hidden().isEmpty()) {
            return Stream.empty();
        }
        List<PermissionRule> naming = rules.stream()
                .filter(rule -> Pattern.beginsLiterally(rule.pattern()))
                .toList();
        PermissionAction least = isAllowedLiterally(rules, call, now) ? PermissionAction.DENY : PermissionAction.ASK;
        return call.subject().hidden().stream()
                .map(value -> winner(naming, call, value, now))
                .filter(rule -> rule != null && rule.action().compareTo(least) >= 0)
                .map(rule -> new Decision(rule.action(), rule.id()));
    }

    private static boolean isAllowedLiterally(Collection<PermissionRule> rules, Call call, Instant now) {
        return call.subject().values().stream().allMatch(value -> {
            PermissionRule rule = winner(rules, call, value, now);
            return rule != null && rule.pattern().equals(Pattern.literal(value));
        });
    }

    private static @Nullable PermissionRule winner(
            Collection<PermissionRule> rules, Call call, String value, Instant now) {
        return about(rules, call, value, now).min(order(call.subject().kind())).orElse(null);
    }

    /** All matching rules, the deciding one first. */
    public static List<PermissionRule> matchingRules(
            Collection<PermissionRule> rules, Call call, String value, Instant now) {
        return about(rules, call, value, now)
                .sorted(order(call.subject().kind()))
                .toList();
    }

    /** Nearest, most specific and strictest first. */
    private static Comparator<PermissionRule> order(Subject.Kind kind) {
        return Comparator.<PermissionRule, Boolean>comparing(rule -> rule.locked())
                .thenComparing(PermissionRule::level)
                .thenComparingInt(PermissionRule::specificity)
                .thenComparingInt(rule -> specificity(rule.pattern(), kind))
                .thenComparing(PermissionRule::action)
                .reversed()
                .thenComparing(PermissionRule::id);
    }

    private static int specificity(String pattern, Subject.Kind kind) {
        return kind == Subject.Kind.URL ? UrlPattern.of(pattern).specificity() : Pattern.specificity(pattern);
    }

    private static Stream<PermissionRule> about(
            Collection<PermissionRule> rules, Call call, String value, Instant now) {
        Predicate<String> matching = matching(call.subject().kind(), value);
        return rules.stream()
                .filter(rule ->
                        rule.isAbout(call) && rule.holdsFor(call.agent(), now) && matching.test(rule.pattern()));
    }

    /** The patterns that match a value. */
    private static Predicate<String> matching(Subject.Kind kind, String value) {
        if (kind == Subject.Kind.URL) {
            String withPort = UrlPattern.withPort(value);
            return pattern -> UrlPattern.of(pattern).matches(value, withPort);
        }
        return pattern -> Pattern.matches(pattern, value, kind == Subject.Kind.COMMAND);
    }
}

package dev.parley.agents.model.anthropic;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What a model takes, by its name: one that is sent a parameter it does not know refuses the request.
 *
 * @param thinking how it is told to think
 * @param samples whether it takes a temperature and the like
 * @param binds whether it refuses its own thinking after any change of what came before
 * @param usual most tokens of an answer, besides a budget for thinking, where the agent does not say
 * @param most tokens that may be asked for
 */
record ModelCapabilities(Thinking thinking, boolean samples, boolean binds, int usual, int most) {

    /** How a model is told to think. */
    enum Thinking {
        /** It cannot. */
        NEVER,
        /** With a budget of tokens. */
        BUDGET,
        /** As it sees fit, when asked. */
        ASKED,
        /** As it sees fit, unless told not to. */
        UNLESS_TOLD,
        /** As it sees fit, always. */
        ALWAYS
    }

    private record Rule(Pattern names, ModelCapabilities family) {}

    /** No further part of a version, such as the 5 in 4-5; a date may follow. */
    private static final String END = "(?!-?\\d{1,2}(\\D|$))";

    private static final List<Rule> RULES = List.of(
            rule("claude-(instant|2|3-(opus|sonnet|haiku))", Thinking.NEVER, true, false, 4_096, 4_096),
            rule("claude-3-5-", Thinking.NEVER, true, false, 8_192, 8_192),
            rule("claude-3-7-", Thinking.BUDGET, true, false, 16_000, 64_000),
            rule("claude-opus-4(-[01])?" + END, Thinking.BUDGET, true, false, 16_000, 32_000),
            rule("claude-(opus|sonnet|haiku)-4(-[05])?" + END, Thinking.BUDGET, true, false, 16_000, 64_000),
            rule("claude-(opus|sonnet)-4-6", Thinking.ASKED, true, false, 32_000, 64_000),
            rule("claude-opus-4-", Thinking.UNLESS_TOLD, false, false, 32_000, 128_000),
            rule("claude-(opus|sonnet)-5" + END, Thinking.UNLESS_TOLD, false, false, 32_000, 128_000),
            rule(
                    "claude-(fable-5" + END + "|mythos-(preview|5" + END + "))",
                    Thinking.ALWAYS,
                    false,
                    false,
                    32_000,
                    128_000),
            rule("claude-haiku-5", Thinking.UNLESS_TOLD, false, true, 32_000, 128_000),
            // What is newer than this table is most like the newest in it.
            rule("claude-", Thinking.ALWAYS, false, true, 32_000, 128_000));

    /** Of another maker, behind the same interface: it is sent what its agent says. */
    private static final ModelCapabilities OTHER =
            new ModelCapabilities(Thinking.BUDGET, true, false, 8_192, Integer.MAX_VALUE);

    private static Rule rule(String names, Thinking thinking, boolean samples, boolean binds, int usual, int most) {
        return new Rule(Pattern.compile(names), new ModelCapabilities(thinking, samples, binds, usual, most));
    }

    /** The family of a model, however its seller spells it: {@code anthropic/claude-opus-4.6}. */
    static ModelCapabilities of(String model) {
        String name = model.toLowerCase(Locale.ROOT).replace('.', '-');
        return RULES.stream()
                .filter(rule -> rule.names().matcher(name).find())
                .map(Rule::family)
                .findFirst()
                .orElse(OTHER);
    }

    /** Whether this table knows it. */
    boolean isKnown() {
        return !equals(OTHER);
    }
}

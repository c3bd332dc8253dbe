package dev.parley.agents.model.anthropic;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The parameters that a model accepts, by its name: models reject requests with unknown parameters.
 *
 * @param thinking the way in which thinking is requested
 * @param samples whether it accepts sampling parameters such as a temperature
 * @param binds whether it rejects its own thinking after any change of the preceding conversation
 * @param usual default of the maximum tokens of an answer, without the budget for thinking
 * @param most limit of the maximum tokens
 */
record ModelCapabilities(Thinking thinking, boolean samples, boolean binds, int usual, int most) {

    /** The way in which thinking is requested from a model. */
    enum Thinking {
        /** Not supported. */
        NEVER,
        /** With a token budget. */
        BUDGET,
        /** Adaptive, when requested. */
        ASKED,
        /** Adaptive, unless disabled. */
        UNLESS_TOLD,
        /** Always adaptive. */
        ALWAYS
    }

    private record Rule(Pattern names, ModelCapabilities family) {}

    /** The end of a version: no minor version such as the 5 in 4-5 follows, but a date may. */
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
            // Models newer than this table are treated like its newest entry.
            rule("claude-", Thinking.ALWAYS, false, true, 32_000, 128_000));

    /** Models of other vendors behind the same API: the agent's parameters are sent unchanged. */
    private static final ModelCapabilities OTHER =
            new ModelCapabilities(Thinking.BUDGET, true, false, 8_192, Integer.MAX_VALUE);

    private static Rule rule(String names, Thinking thinking, boolean samples, boolean binds, int usual, int limit) {
        return new Rule(Pattern.compile(names), new ModelCapabilities(thinking, samples, binds, usual, limit));
    }

    /** The capabilities of a model, in any spelling of resellers: {@code anthropic/claude-opus-4.6}. */
    static ModelCapabilities of(String model) {
        String name = model.toLowerCase(Locale.ROOT).replace('.', '-');
        return RULES.stream()
                .filter(rule -> rule.names().matcher(name).find())
                .map(Rule::family)
                .findFirst()
                .orElse(OTHER);
    }

    /** Whether the model is in the table. */
    boolean isKnown() {
        return !equals(OTHER);
    }
}

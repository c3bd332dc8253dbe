package dev.parley.agents.model.wire;

import java.util.regex.Pattern;

/**
 * The parameters that a model of OpenAI accepts, by its name, in either API: models reject requests with unknown
 * parameters.
 */
public enum OpenAiFamily {
    /** No reasoning: accepts a temperature and no reasoning parameters. */
    TALKS,
    /** Optional reasoning: accepts a temperature only with reasoning disabled. */
    MAY_REFRAIN,
    /** Always reasons, and accepts no temperature. */
    REASONS,
    /** A model of another vendor: the agent's parameters are sent unchanged. */
    UNKNOWN;

    private static final Pattern TALKERS = Pattern.compile("(ft:)?(gpt-[34]|chatgpt-|gpt-5(\\.\\d)?-chat).*");
    private static final Pattern REFRAINERS = Pattern.compile("gpt-5\\.\\d(?!.*(codex|pro|chat)).*");
    private static final Pattern REASONERS = Pattern.compile("(ft:)?(gpt-\\d|o\\d|codex-).*");

    /** The family of a model with this name. */
    public static OpenAiFamily of(String model) {
        if (TALKERS.matcher(model).matches()) {
            return TALKS;
        }
        if (REFRAINERS.matcher(model).matches()) {
            return MAY_REFRAIN;
        }
        return REASONERS.matcher(model).matches() ? REASONS : UNKNOWN;
    }

    /**
     * Whether sampling parameters, such as a temperature, are sent.
     *
     * @param refrains whether reasoning is disabled
     */
    public boolean samples(boolean refrains) {
        return switch (this) {
            case TALKS, UNKNOWN -> true;
            case MAY_REFRAIN -> refrains;
            case REASONS -> false;
        };
    }
}

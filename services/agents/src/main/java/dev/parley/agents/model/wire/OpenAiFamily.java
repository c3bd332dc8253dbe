package dev.parley.agents.model.wire;

import java.util.regex.Pattern;

/** What a model takes, by its name, through either of OpenAI's APIs: one that is sent a parameter it does not know refuses the request. */
public enum OpenAiFamily {
    /** It answers without thinking: takes a temperature, and nothing about reasoning. */
    TALKS,
    /** It thinks, or leaves it when told so: only then it takes a temperature. */
    MAY_REFRAIN,
    /** It thinks, always, and takes no temperature. */
    REASONS,
    /** Of another maker: it is sent what its agent says. */
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
}

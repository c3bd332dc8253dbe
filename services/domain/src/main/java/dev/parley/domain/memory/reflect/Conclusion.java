package dev.parley.domain.memory.reflect;

import dev.parley.domain.memory.prompt.JsonAnswer;
import dev.parley.domain.memory.reflect.ReflectPrompt.Citations;
import dev.parley.language.text.Clip;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The conclusion of a reflection.
 *
 * @param answer {@code [m1]} cites the first of {@code basedOn}
 * @param basedOn ids of the cited evidence
 * @param unknown number of removed citations that matched nothing shown
 * @param opinion expressed in the answer, or null
 * @param confidence of the opinion, from 0 to 1; null if there is none
 * @param how version of the implementation, {@code model-…} or {@code rules-…}
 * @param prompt SHA-256 of the prompt, or null
 * @param model {@code provider/model}, or null
 */
public record Conclusion(
        String answer,
        List<String> basedOn,
        int unknown,
        @Nullable String opinion,
        @Nullable Double confidence,
        String how,
        @Nullable String prompt,
        @Nullable String model) {
    /** Version of the prompts. */
    public static final String MODEL = "model-1";

    /** Version of the rules. */
    public static final String RULES = "rules-1";

    /** Marks omitted text. */
    private static final String CUT = " …";

    private static final JsonAnswer NONE = new JsonAnswer(Map.of());
    private static final int MAX_OPINION_LENGTH = 1_000;
    private static final Pattern OPINION = Pattern.compile("(?s)\\n?```opinion\\b(.*?)(?:```|\\z)");

    public Conclusion {
        basedOn = List.copyOf(basedOn);
    }

    /**
     * Parses a model's answer. A malformed opinion is dropped.
     *
     * @param evidenceIds ids of the evidence, in numbered order
     * @param limit maximum characters of the answer; longer ones are cut at the end of a sentence
     */
    public static Conclusion read(
            String modelAnswer, List<String> evidenceIds, int limit, String prompt, String model) {
        Matcher block = OPINION.matcher(modelAnswer);
        JsonAnswer opinion = block.find() ? opinion(block.group(1)) : NONE;
        Citations cited =
                ReflectPrompt.resolveCitations(truncate(block.replaceAll("").strip(), limit), evidenceIds);
        return new Conclusion(
                cited.text(),
                cited.ids(),
                cited.unknown(),
                opinion.text("text").orElse(null),
                opinion.number("confidence").orElse(null),
                MODEL,
                prompt,
                model);
    }

    private static JsonAnswer opinion(String json) {
        try {
            JsonAnswer read = JsonAnswer.read(json);
            boolean valid = read.members().keySet().equals(Set.of("text", "confidence"))
                    && read.text("text")
                            .filter(text -> text.length() <= MAX_OPINION_LENGTH)
                            .isPresent()
                    && read.number("confidence")
                            .filter(confidence -> confidence >= 0 && confidence <= 1)
                            .isPresent();
            return valid ? read : NONE;
        } catch (IllegalArgumentException e) {
            return NONE; // malformed, so dropped
        }
    }

    static String truncate(String text, int limit) {
        if (text.length() <= limit) {
            return text;
        }
        int room = limit - CUT.length();
        String cut = Clip.start(text, room);
        int sentence = Math.max(cut.lastIndexOf(". "), cut.lastIndexOf('\n'));
        return (sentence > room / 2 ? cut.substring(0, sentence + 1).strip() : cut) + CUT;
    }

    /** All texts that would be published, as checked against directives. */
    public String publishedText() {
        return opinion == null ? answer : answer + "\n" + opinion;
    }

    /** This conclusion without its opinion. */
    public Conclusion withoutOpinion() {
        return new Conclusion(answer, basedOn, unknown, null, null, how, prompt, model);
    }

    /** The conclusion without answer and opinion. */
    public Conclusion withoutTexts() {
        return new Conclusion("", List.of(), unknown, null, null, how, prompt, model);
    }
}

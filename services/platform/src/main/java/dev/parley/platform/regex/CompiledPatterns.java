package dev.parley.platform.regex;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.parley.domain.turn.Patterns;
import dev.parley.platform.collection.NewestMap;
import java.util.Map;
import java.util.Optional;

/** Patterns of guardrails, compiled once. For one thread. */
public final class CompiledPatterns implements Patterns {
    /** As {@link Regex} counts: with the longest text that is looked at, one takes a second or two in the worst case. */
    private static final int HEAVIEST = 1_000;

    private static final int KEPT = 500;

    private final Map<String, Pattern> compiled = new NewestMap<>(KEPT);

    /** @throws IllegalArgumentException when it is none, is too heavy, or is found in any text */
    public static Pattern compile(String pattern) {
        Pattern compiled = Regex.compile(pattern, HEAVIEST);
        if (compiled.matcher("").find()) {
            throw new IllegalArgumentException("the regular expression is found in an empty text, and so in every one");
        }
        return compiled;
    }

    @Override
    public Optional<String> replaced(String pattern, String text, String replacement) {
        Matcher matcher =
                compiled.computeIfAbsent(pattern, CompiledPatterns::compile).matcher(text);
        return matcher.find()
                ? Optional.of(matcher.replaceAll(Matcher.quoteReplacement(replacement)))
                : Optional.empty();
    }
}

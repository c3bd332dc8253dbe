package dev.parley.domain.memory.consolidate;

import java.lang.Character.UnicodeScript;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Traces of uncited inputs in a text written by a model: inputs that share a word with the text which no cited input
 * contains. Errs on the side of too many, as the text is erased with any of its sources.
 */
public final class Traces {
    /** Scripts that separate words; texts in others may contain anything shown. */
    private static final Set<UnicodeScript> APART = Set.of(
            UnicodeScript.LATIN,
            UnicodeScript.GREEK,
            UnicodeScript.CYRILLIC,
            UnicodeScript.ARMENIAN,
            UnicodeScript.HEBREW,
            UnicodeScript.ARABIC,
            UnicodeScript.COMMON,
            UnicodeScript.INHERITED);

    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{M}\\p{N}]+");
    private static final int LONG = 4;

    private Traces() {}

    /**
     * The uncited inputs that the text may have content of.
     *
     * @param cited inputs cited as sources
     * @param uncited the other inputs that the model was shown
     * @return their indexes, ascending
     */
    public static List<Integer> in(String text, List<String> cited, List<String> uncited) {
        if (!text.codePoints().allMatch(point -> APART.contains(UnicodeScript.of(point)))) {
            return IntStream.range(0, uncited.size()).boxed().toList();
        }
        Set<String> words = words(text, true);
        cited.forEach(input -> words.removeAll(words(input, false)));
        return IntStream.range(0, uncited.size())
                .filter(index -> words(uncited.get(index), false).stream().anyMatch(words::contains))
                .boxed()
                .toList();
    }

    /** The words; of a written text only the significant ones: long ones, names and numbers. */
    private static Set<String> words(String text, boolean significantOnly) {
        var words = new HashSet<String>();
        Matcher matcher = WORD.matcher(text);
        while (matcher.find()) {
            String word = matcher.group();
            boolean isSignificant = word.length() >= LONG
                    || Character.isUpperCase(word.codePointAt(0))
                    || word.codePoints().anyMatch(Character::isDigit);
            if (isSignificant || !significantOnly) {
                words.add(word.toLowerCase(Locale.ROOT));
            }
        }
        return words;
    }
}

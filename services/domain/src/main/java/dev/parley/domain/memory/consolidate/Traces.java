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
 * Where a text that a model wrote may come from besides what it cites: what it was shown and has a word of the text which nothing cited
 * has. Rather one too many than one too few, since what a text may hold is erased with it.
 */
public final class Traces {
    /** Scripts whose words stand apart; of others a text may be of anything that was shown. */
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
     * Which of the others the text may have something of.
     *
     * @param cited what it is said to be made of
     * @param others what the model was shown besides
     * @return their indexes, in their order
     */
    public static List<Integer> in(String text, List<String> cited, List<String> others) {
        if (!text.codePoints().allMatch(point -> APART.contains(UnicodeScript.of(point)))) {
            return IntStream.range(0, others.size()).boxed().toList();
        }
        Set<String> words = words(text, true);
        cited.forEach(one -> words.removeAll(words(one, false)));
        return IntStream.range(0, others.size())
                .filter(index -> words(others.get(index), false).stream().anyMatch(words::contains))
                .boxed()
                .toList();
    }

    /** The words, of a text that was written only those that say something: long ones, names and numbers. */
    private static Set<String> words(String text, boolean telling) {
        var words = new HashSet<String>();
        Matcher matcher = WORD.matcher(text);
        while (matcher.find()) {
            String word = matcher.group();
            boolean tells = word.length() >= LONG
                    || Character.isUpperCase(word.codePointAt(0))
                    || word.codePoints().anyMatch(Character::isDigit);
            if (tells || !telling) {
                words.add(word.toLowerCase(Locale.ROOT));
            }
        }
        return words;
    }
}

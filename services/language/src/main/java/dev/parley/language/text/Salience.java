package dev.parley.language.text;

import static java.util.Locale.ROOT;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Salience of statements: whether they contain enough content words to be worth remembering; the more concrete, the
 * fewer are needed.
 */
public final class Salience {
    private static final Pattern WORD = Pattern.compile("[\\p{L}][\\p{L}\\p{M}'’-]*+");
    private static final Pattern FIRST_PERSON = Pattern.compile(
            "(?<![\\p{L}'’])(?:I|i|I'm|I’m|i'm|im|I've|I’ve|i've|I'd|I’d|I'll|I’ll|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself|[Ww]e|[Ww]e're|[Ww]e've|[Ww]e'll|[Oo]urs?|us"
                    + "|[Ii]ch|[Mm]ein(?:e[rnms]?)?|[Mm]ir|[Mm]ich|[Ww]ir|[Uu]ns(?:er(?:e[rnms]?)?)?|[Jj]e|[Jj]['’]\\p{L}+|[Mm]on|[Mm]es|[Mm]oi|[Nn]ous|[Nn]otre|[Yy]o|[Mm]is?|[Nn]osotros|[Nn]uestr[oa]s?|[Ss]oy|[Tt]engo|[Vv]ivo|[Tt]rabajo|[Qq]uiero|[Pp]refiero|[Nn]ecesito|[Ee]stoy)(?![\\p{L}])");
    private static final Pattern OF_SELF = Pattern.compile(
            "^(?i:and |but |also |so |well,? |hi,? |hello,? |hey,? )?(?:(?i:i am|i'm|i’m|im|my|we are|we're|ich bin|ich heiße|mein|meine|je suis|mon|ma|soy|mi|me llamo|je m'appelle)\\b).*",
            Pattern.DOTALL);
    /** Temporary states of a person. */
    private static final Set<String> PASSING = Set.copyOf(Arrays.asList(
            ("sure sorry fine ready back here confused stuck done glad afraid wondering trying curious happy bored tired late hungry busy excited bad mistake"
                            + " question point doubt fault bereit zurück müde fertig désolé prêt fatigué cansado listo")
                    .split(" ")));

    private static final Pattern POINTS = Pattern.compile(
            "^(?i:it|it's|it’s|this|that|that's|that’s|these|those|there|there's|you|your|you're|one|das|es|dies|dieses|c'est|ça|cela|eso|esto|es)\\b.*",
            Pattern.DOTALL);
    private static final Pattern INTRODUCES = Pattern.compile(
            ".*(?i:code|far|following|below|this|these|example|like|error)\\b[^.]{0,40}:\\s*$", Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("\\d");

    private Salience() {}

    /**
     * Whether a person's statement is worth remembering.
     *
     * @param names in it
     */
    public static boolean isWorth(String sentence, List<String> names) {
        if (INTRODUCES.matcher(sentence).matches()) {
            return false;
        }
        boolean concrete = isConcrete(sentence, names);
        long words = content(sentence, names);
        if (Clauses.isToRemember(sentence)) {
            return words > 1 || concrete;
        }
        if (isOfSelf(sentence)) {
            return words > 1
                    || (words > 0 && concrete)
                    || (words == 1 && OF_SELF.matcher(sentence).matches())
                    || isNamed(sentence, names);
        }
        return concrete ? words > 0 : words > 2 && !POINTS.matcher(sentence).matches();
    }

    /** Whether a statement contains a name or a number. */
    public static boolean isConcrete(String sentence, List<String> names) {
        return !names.isEmpty() || NUMBER.matcher(sentence).find();
    }

    /** Whether the statement is about the speaker. */
    public static boolean isOfSelf(String sentence) {
        return FIRST_PERSON.matcher(sentence).find();
    }

    /** "I'm Craig": a bare name is a fact if the speaker says it of themselves. */
    private static boolean isNamed(String sentence, List<String> names) {
        return !names.isEmpty() && OF_SELF.matcher(sentence).matches();
    }

    /** The number of content words, without the names. */
    public static long content(String sentence, List<String> names) {
        var nameWords = new HashSet<String>();
        names.forEach(name -> nameWords.addAll(List.of(name.toLowerCase(ROOT).split("\\s"))));
        return WORD.matcher(sentence)
                .results()
                .map(match -> match.group().toLowerCase(ROOT).replace('’', '\''))
                .map(word -> word.endsWith("'s") ? word.substring(0, word.length() - 2) : word)
                .filter(word ->
                        word.length() > 1 && !Vocabulary.FUNCTION.contains(word) && !Vocabulary.FILLER.contains(word))
                .filter(word -> !PASSING.contains(word) && !nameWords.contains(word))
                .distinct()
                .count();
    }
}

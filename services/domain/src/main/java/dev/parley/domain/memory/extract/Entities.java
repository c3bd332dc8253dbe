package dev.parley.domain.memory.extract;

import static java.util.Locale.ROOT;

import java.text.Normalizer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which names mean the same person or thing.
 *
 * <p>The same letters always do, whatever their case. Else a name is compared with those that are known: how alike they look
 * (Ratcliff and Obershelp's measure) counts 0.5, whether those named beside it were named beside the other 0.3, and whether the
 * other was named within a week 0.2; the best one above 0.6 is meant. Company and time alone never make two names one: each
 * word of the one has to look like a word of the other, so that Berlin is not Bergen, nor Alice Chen Alice Meyer.
 *
 * <p>A first name means the person of that first name, as long as there is one only.
 */
public final class Entities {
    /** What a score has to exceed. */
    public static final double ENOUGH = 0.6;

    /** The most names of a batch that are compared with each other; the others are taken as they are. */
    public static final int MOST = 250;

    private static final double LOOKS = 0.5;
    private static final double COMPANY = 0.3;
    private static final double RECENCY = 0.2;
    private static final Duration RECENT = Duration.ofDays(7);

    /** How alike two words have to look to be one, misspelt. */
    private static final double SAME_WORD = 0.85;

    private static final double SAME_TRIGRAMS = 0.5;
    private static final int LONGEST = 100;
    private static final Pattern BLANKS = Pattern.compile("[\\s\\u00a0]+");
    private static final Pattern PERSON = Pattern.compile(
            "\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}\\.?)?(?: (?:van|von|der|den|de|del|di|da|la|le|bin|al|ter))*(?: \\p{Lu}[\\p{L}'’-]+){1,2}");

    /** What is named after somebody or some place is not that one. */
    private static final Set<String> THINGS = Set.of(
            ("university college school institute hospital clinic airport station street road avenue square bridge tower park beach bay lake river valley county city region"
                            + " island islands museum library theatre theater hotel restaurant café cafe bar bank group company corporation corp inc ltd llc gmbh ag sa oy as cloud maps watch phone"
                            + " drive docs sheets mail calendar photos studio pro max mini plus air book card pay music tv news team project program programme conference summit festival marathon"
                            + " office center centre foundation award awards cup league club api sdk server client streams connect db sql database framework engine browser assistant app apps"
                            + " actions pages code desktop enterprise times post journal review act law theorem method bowl united rovers airlines airways motors labs media records universität"
                            + " schule straße platz bahnhof flughafen krankenhaus")
                    .split(" "));

    /** What a name is. */
    public enum Kind {
        /** Written by people or found in texts: others may write it otherwise. */
        NAME,
        /** Written by a program, such as {@code team:blue}: it means itself. */
        LABEL
    }

    /**
     * A person or thing that is known.
     *
     * @param id of it
     * @param name that it goes by
     * @param company names of those that were named beside it
     * @param lastSeen when it was last named
     * @param mentions how often it was
     */
    public record Candidate(String id, String name, Set<String> company, Instant lastSeen, long mentions) {
        public Candidate {
            company = Set.copyOf(company);
        }
    }

    /** Whom a name means. */
    public sealed interface Resolution {
        /** One that is known. */
        record Known(Candidate candidate) implements Resolution {}

        /**
         * Nobody who is known.
         *
         * @param name that a new one goes by
         */
        record Unknown(String name) implements Resolution {}
    }

    private Entities() {}

    /**
     * Whom a name means.
     *
     * @param candidates those it could be; their order does not matter
     * @param nearby names that stand beside it
     * @param at when it was said
     */
    public static Resolution resolve(
            String name, Kind kind, Collection<Candidate> candidates, Collection<String> nearby, Instant at) {
        String wanted = normal(name);
        List<Candidate> ordered = candidates.stream()
                .sorted(Comparator.comparingLong(Candidate::mentions)
                        .reversed()
                        .thenComparing(Candidate::name)
                        .thenComparing(Candidate::id))
                .toList();
        Optional<Candidate> known = ordered.stream()
                .filter(candidate -> key(candidate.name()).equals(key(wanted)))
                .findFirst();
        if (known.isEmpty() && kind == Kind.NAME) {
            known = sameFirstName(wanted, ordered).or(() -> best(wanted, ordered, nearby, at));
        }
        return known.<Resolution>map(Resolution.Known::new).orElseGet(() -> new Resolution.Unknown(wanted));
    }

    /** A name without the blanks that nobody means. */
    public static String normal(String name) {
        String text = isPlain(name)
                ? name
                : BLANKS.matcher(Normalizer.normalize(name, Normalizer.Form.NFC))
                        .replaceAll(" ")
                        .strip();
        if (text.length() <= LONGEST) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST);
    }

    /** Whether there is nothing to be changed, as in most names: hundreds are compared with each that is found. */
    private static boolean isPlain(String name) {
        char before = ' ';
        for (int i = 0; i < name.length(); i++) {
            char here = name.charAt(i);
            if (here < ' ' || here > '~' || here == ' ' && before == ' ') {
                return false;
            }
            before = here;
        }
        return before != ' ';
    }

    private static String key(String name) {
        return normal(name).toLowerCase(ROOT);
    }

    /** The one person of whom one of the names is the first name and the other the full one. */
    private static Optional<Candidate> sameFirstName(String name, List<Candidate> candidates) {
        String first = first(name);
        List<Candidate> same = candidates.stream()
                .filter(candidate -> first(normal(candidate.name())).equals(first))
                .toList();
        return same.size() == 1 && isShortFor(name, normal(same.getFirst().name()))
                ? Optional.of(same.getFirst())
                : Optional.empty();
    }

    private static String first(String name) {
        return key(name).split(" ", 2)[0];
    }

    /** Whether one is a first name and the other one the full name of a person. */
    private static boolean isShortFor(String one, String other) {
        boolean oneIsShort = one.indexOf(' ') < 0;
        if (oneIsShort == (other.indexOf(' ') < 0)) {
            return false;
        }
        String full = oneIsShort ? other : one;
        return PERSON.matcher(full).matches()
                && Arrays.stream(key(full).split(" ")).noneMatch(THINGS::contains)
                && Character.isUpperCase((oneIsShort ? one : other).codePointAt(0));
    }

    private static Optional<Candidate> best(
            String name, List<Candidate> candidates, Collection<String> nearby, Instant at) {
        var near = new HashSet<String>();
        nearby.forEach(other -> near.add(key(other)));
        near.remove(key(name));
        Candidate best = null;
        double most = ENOUGH;
        for (Candidate candidate : candidates) {
            if (canBeOne(name, normal(candidate.name()))) {
                double score = score(name, candidate, near, at);
                if (score > most) {
                    most = score;
                    best = candidate;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /** How likely a name means a candidate, from 0 to 1. */
    static double score(String name, Candidate candidate, Set<String> near, Instant at) {
        Set<String> company = new HashSet<>();
        candidate.company().forEach(other -> company.add(key(other)));
        company.retainAll(near);
        double shared = near.isEmpty() ? 0 : (double) company.size() / near.size();
        double apart = (double) Duration.between(candidate.lastSeen(), at).abs().toSeconds() / RECENT.toSeconds();
        return LOOKS * likeness(key(name), key(candidate.name())) + COMPANY * shared + RECENCY * Math.max(0, 1 - apart);
    }

    /** Whether nothing in the names themselves says that they are two: each word of the shorter has its like in the longer. */
    static boolean canBeOne(String one, String other) {
        List<String> words = words(one);
        List<String> others = new ArrayList<>(words(other));
        if (words.size() > others.size()) {
            return canBeOne(other, one);
        }
        if (words.isEmpty() || (words.size() < others.size() && others.stream().anyMatch(THINGS::contains))) {
            return false;
        }
        for (String word : words) {
            Optional<String> like =
                    others.stream().filter(candidate -> isLike(word, candidate)).findFirst();
            if (like.isEmpty()) {
                return false;
            }
            others.remove(like.get());
        }
        return others.stream().noneMatch(Entities::hasDigit);
    }

    private static List<String> words(String name) {
        return Arrays.stream(key(name).split("[ .,]+"))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static boolean isLike(String one, String other) {
        if (one.equals(other)) {
            return true;
        }
        if (hasDigit(one) || hasDigit(other) || one.codePointAt(0) != other.codePointAt(0)) {
            return false;
        }
        boolean initial = one.length() == 1 || other.length() == 1;
        return initial || (Math.min(one.length(), other.length()) > 2 && likeness(one, other) >= SAME_WORD);
    }

    private static boolean hasDigit(String word) {
        return word.chars().anyMatch(Character::isDigit);
    }

    /** Ratcliff and Obershelp's measure: twice the letters in common blocks, by all letters; from 0 to 1. */
    static double likeness(String one, String other) {
        return one.isEmpty() && other.isEmpty() ? 1 : 2.0 * common(one, other) / (one.length() + other.length());
    }

    private static int common(String one, String other) {
        int[] lengths = new int[other.length() + 1];
        int longest = 0;
        int oneEnd = 0;
        int otherEnd = 0;
        for (int i = 1; i <= one.length(); i++) {
            for (int j = other.length(); j >= 1; j--) {
                lengths[j] = one.charAt(i - 1) == other.charAt(j - 1) ? lengths[j - 1] + 1 : 0;
                if (lengths[j] > longest || (lengths[j] == longest && longest > 0 && i == oneEnd && j < otherEnd)) {
                    longest = lengths[j];
                    oneEnd = i;
                    otherEnd = j;
                }
            }
        }
        if (longest == 0) {
            return 0;
        }
        return longest
                + common(one.substring(0, oneEnd - longest), other.substring(0, otherEnd - longest))
                + common(one.substring(oneEnd), other.substring(otherEnd));
    }

    /**
     * Which new names of a batch mean the same. Of those that do, the canonical one is that which stands there most often, then the
     * shortest, then the first of the alphabet; a first name gives way to the full one.
     *
     * @param names each as often as it stands there
     * @return the canonical one of each name, as it was given
     */
    public static Map<String, String> canonical(Collection<String> names) {
        var counts = new LinkedHashMap<String, Integer>();
        names.forEach(name -> counts.merge(normal(name), 1, Integer::sum));
        List<String> compared = counts.keySet().stream().sorted().limit(MOST).toList();
        var groups = new HashMap<String, String>();
        counts.keySet().forEach(name -> groups.put(name, name));
        for (int i = 0; i < compared.size(); i++) {
            for (int j = i + 1; j < compared.size(); j++) {
                if (areOne(compared.get(i), compared.get(j), compared)) {
                    join(groups, compared.get(i), compared.get(j));
                }
            }
        }
        var canonical = new LinkedHashMap<String, String>();
        names.forEach(name -> canonical.put(name, head(groups, normal(name), counts)));
        return canonical;
    }

    private static boolean areOne(String one, String other, List<String> all) {
        if (key(one).equals(key(other))) {
            return true;
        }
        if (isShortFor(one, other)) {
            return first(one).equals(first(other))
                    && all.stream()
                                    .filter(name -> first(name).equals(first(one)))
                                    .map(Entities::key)
                                    .distinct()
                                    .count()
                            == 2;
        }
        return words(one).size() == words(other).size()
                && canBeOne(one, other)
                && jaccard(trigrams(key(one)), trigrams(key(other))) >= SAME_TRIGRAMS;
    }

    private static String root(Map<String, String> groups, String name) {
        String root = name;
        for (String next = groups.getOrDefault(root, root);
                !next.equals(root);
                next = groups.getOrDefault(root, root)) {
            root = next;
        }
        return root;
    }

    /** Joins the groups of two names, if no two in them are apart: through a name that both are like, strangers do not become one. */
    private static void join(Map<String, String> groups, String one, String other) {
        List<String> ones = members(groups, one);
        List<String> others = members(groups, other);
        if (ones.stream()
                .allMatch(name -> others.stream().allMatch(its -> key(name).equals(key(its)) || canBeOne(name, its)))) {
            groups.put(root(groups, one), root(groups, other));
        }
    }

    private static List<String> members(Map<String, String> groups, String name) {
        String root = root(groups, name);
        return groups.keySet().stream()
                .filter(other -> root(groups, other).equals(root))
                .toList();
    }

    private static String head(Map<String, String> groups, String name, Map<String, Integer> counts) {
        String root = root(groups, name);
        return counts.keySet().stream()
                .filter(other -> root(groups, other).equals(root))
                .min(Comparator.comparing((String other) -> -words(other).size())
                        .thenComparing(other -> -counts.getOrDefault(other, 0))
                        .thenComparing(String::length)
                        .thenComparing(Comparator.naturalOrder()))
                .orElse(name);
    }

    private static Set<String> trigrams(String text) {
        String padded = "  " + text + " ";
        var trigrams = new LinkedHashSet<String>();
        for (int i = 0; i + 3 <= padded.length(); i++) {
            trigrams.add(padded.substring(i, i + 3));
        }
        return trigrams;
    }

    private static double jaccard(Set<String> one, Set<String> other) {
        var both = new HashSet<>(one);
        both.retainAll(other);
        return (double) both.size() / (one.size() + other.size() - both.size());
    }
}

package dev.parley.language.text;

import static java.util.Locale.ROOT;

import java.text.Normalizer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Entity resolution: which names refer to the same person or thing.
 *
 * <p>Names that differ in case only are the same. Otherwise a name is compared with known ones: string similarity
 * (Ratcliff-Obershelp) counts 0.5, shared co-mentions 0.3, and a mention within a week 0.2; the best candidate above
 * 0.6 is the match. Context alone never merges names: each word of one must resemble a word of the other, so that
 * Berlin is not Bergen, nor Alice Chen Alice Meyer.
 *
 * <p>A first name refers to the person with that first name, if there is only one.
 */
public final class Entities {
    /** Minimum score, exclusive. */
    public static final double ENOUGH = 0.6;

    private static final double LOOKS = 0.5;
    private static final double COMPANY = 0.3;
    private static final double RECENCY = 0.2;
    private static final Duration RECENT = Duration.ofDays(7);

    /** Preference among equally likely candidates. */
    private static final Comparator<Candidate> FIRST = Comparator.comparingInt(Candidate::mentions)
            .reversed()
            .thenComparing(candidate -> candidate.name().text())
            .thenComparing(Candidate::id);

    /** Minimum similarity of misspelt words. */
    private static final double SAME_WORD = 0.85;

    private static final int MAX_LENGTH = 100;
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[ .,]+");
    private static final Pattern BLANKS = Pattern.compile("[\\s\\u00a0]+");
    private static final Pattern PERSON = Pattern.compile(
            "\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}\\.?)?(?: (?:van|von|der|den|de|del|di|da|la|le|bin|al|ter))*(?: \\p{Lu}[\\p{L}'’-]+){1,2}");

    /** Things named after a person or place, which are not that person or place. */
    private static final Set<String> THINGS = Set.of(
            ("university college school institute hospital clinic airport station street road avenue square bridge tower park beach bay lake river valley county city region"
                            + " island islands museum library theatre theater hotel restaurant café cafe bar bank group company corporation corp inc ltd llc gmbh ag sa oy as cloud maps watch phone"
                            + " drive docs sheets mail calendar photos studio pro max mini plus air book card pay music tv news team project program programme conference summit festival marathon"
                            + " office center centre foundation award awards cup league club api sdk server client streams connect db sql database framework engine browser assistant app apps"
                            + " actions pages code desktop enterprise times post journal review act law theorem method bowl united rovers airlines airways motors labs media records universität"
                            + " schule straße platz bahnhof flughafen krankenhaus")
                    .split(" "));

    /**
     * A name prepared for comparison.
     *
     * @param text normalised whitespace
     * @param key equal for names that differ in case only
     * @param first first word of the key
     * @param words of the key
     * @param initials a bit per initial; several letters share one
     */
    public record Name(String text, String key, String first, List<String> words, int initials) {
        /** Parses a name as written. */
        public static Name of(String name) {
            String normalised = BLANKS.matcher(Normalizer.normalize(name, Normalizer.Form.NFC))
                    .replaceAll(" ")
                    .strip();
            String text = Clip.start(normalised, MAX_LENGTH);
            String key = text.toLowerCase(ROOT);
            int blank = key.indexOf(' ');
            List<String> words = words(key);
            int initials =
                    words.stream().mapToInt(word -> 1 << word.codePointAt(0)).reduce(0, (left, right) -> left | right);
            return new Name(text, key, blank < 0 ? key : key.substring(0, blank), words, initials);
        }

        private static List<String> words(String key) {
            return BETWEEN_WORDS
                    .splitAsStream(key)
                    .filter(word -> !word.isEmpty())
                    .toList();
        }

        /** Whether each word of the shorter name can match one of the longer: rules out most pairs quickly. */
        public boolean mayBe(Name other) {
            return words.size() <= other.words.size()
                    ? (initials & ~other.initials) == 0
                    : (other.initials & ~initials) == 0;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** A known person or thing. */
    public interface Candidate {
        UUID id();

        Name name();

        /** Whether a name with this {@linkplain Name#key key} was mentioned together with the candidate. */
        boolean wasBeside(String key);

        /** Time of the last mention. */
        Instant lastSeen();

        /** The number of mentions. */
        int mentions();
    }

    private Entities() {}

    /**
     * The candidate that a name refers to; empty if there is none.
     *
     * @param candidates in any order; duplicates under several names are allowed
     * @param nearby names mentioned together with the name
     * @param time of the mention
     */
    public static Optional<Candidate> resolve(
            Name name, List<? extends Candidate> candidates, List<Name> nearby, Instant time) {
        return exactCandidate(name, candidates)
                .or(() -> onlyCandidateByFirstWord(name, candidates))
                .or(() -> bestCandidate(name, candidates, nearby, time));
    }

    private static Optional<Candidate> exactCandidate(Name name, List<? extends Candidate> candidates) {
        Candidate exact = null;
        for (Candidate candidate : candidates) {
            if (candidate.name().key().equals(name.key()) && (exact == null || FIRST.compare(candidate, exact) < 0)) {
                exact = candidate;
            }
        }
        return Optional.ofNullable(exact);
    }

    /** The only candidate with the same first word, if one of the names is short for the other. */
    private static Optional<Candidate> onlyCandidateByFirstWord(Name name, List<? extends Candidate> candidates) {
        Candidate longest = null;
        for (Candidate candidate : candidates) {
            if (candidate.name().first().equals(name.first())) {
                if (longest != null && !longest.id().equals(candidate.id())) {
                    return Optional.empty();
                }
                longest = longest == null || isLonger(candidate.name(), longest.name()) ? candidate : longest;
            }
        }
        return Optional.ofNullable(longest).filter(candidate -> isShortFor(name, candidate.name()));
    }

    private static boolean isLonger(Name left, Name right) {
        return left.text().length() > right.text().length();
    }

    /** Whether one of the names is a first name and the other is the full name of a person. */
    private static boolean isShortFor(Name left, Name right) {
        boolean leftIsShort = left.text().indexOf(' ') < 0;
        if (leftIsShort == (right.text().indexOf(' ') < 0)) {
            return false;
        }
        Name full = leftIsShort ? right : left;
        return PERSON.matcher(full.text()).matches()
                && Arrays.stream(full.key().split(" ")).noneMatch(THINGS::contains)
                && Character.isUpperCase((leftIsShort ? left : right).text().codePointAt(0));
    }

    private static Optional<Candidate> bestCandidate(
            Name name, List<? extends Candidate> candidates, List<Name> nearby, Instant time) {
        Set<String> nearbyKeys = nearby.stream()
                .map(Name::key)
                .filter(key -> !key.equals(name.key()))
                .collect(Collectors.toSet());
        Candidate best = null;
        double highest = ENOUGH;
        for (Candidate candidate : candidates) {
            if (canBeOne(name, candidate.name())) {
                double score = score(name, candidate, nearbyKeys, time);
                if (score > highest || best != null && score == highest && FIRST.compare(candidate, best) < 0) {
                    highest = score;
                    best = candidate;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /**
     * The likelihood that a name refers to a candidate, from 0 to 1; 0 also if it cannot be {@linkplain #ENOUGH
     * enough}.
     */
    public static double score(Name name, Candidate candidate, Set<String> nearbyKeys, Instant time) {
        int shared = 0;
        for (String other : nearbyKeys) {
            shared += candidate.wasBeside(other) ? 1 : 0;
        }
        double company = nearbyKeys.isEmpty() ? 0 : COMPANY * shared / nearbyKeys.size();
        String key = candidate.name().key();
        if (LOOKS * maxLikeness(name.key(), key) + company + RECENCY <= ENOUGH) {
            return 0;
        }
        double apart =
                (double) Math.abs(Duration.between(candidate.lastSeen(), time).toSeconds()) / RECENT.toSeconds();
        return LOOKS * likeness(name.key(), key) + company + RECENCY * Math.max(0, 1 - apart);
    }

    /** Whether the names are compatible: each word of the shorter has a similar one in the longer. */
    public static boolean canBeOne(Name left, Name right) {
        List<String> words = left.words();
        List<String> otherWords = right.words();
        if (words.size() > otherWords.size()) {
            return canBeOne(right, left);
        }
        boolean[] matched = new boolean[otherWords.size()];
        for (String word : words) {
            int match = indexOfSimilar(word, otherWords, matched);
            if (match < 0) {
                return false;
            }
            matched[match] = true;
        }
        return !words.isEmpty()
                && (words.size() == otherWords.size() || otherWords.stream().noneMatch(THINGS::contains))
                && IntStream.range(0, matched.length).allMatch(i -> matched[i] || !hasDigit(otherWords.get(i)));
    }

    private static int indexOfSimilar(String word, List<String> candidates, boolean[] matched) {
        for (int i = 0; i < matched.length; i++) {
            if (!matched[i] && isLike(word, candidates.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isLike(String left, String right) {
        if (left.codePointAt(0) != right.codePointAt(0)) {
            return false;
        }
        if (left.equals(right)) {
            return true;
        }
        int shorter = Math.min(left.length(), right.length());
        boolean isLike = shorter == 1
                || shorter > 2 && maxLikeness(left, right) >= SAME_WORD && likeness(left, right) >= SAME_WORD;
        return isLike && !hasDigit(left) && !hasDigit(right);
    }

    private static boolean hasDigit(String word) {
        return word.chars().anyMatch(Character::isDigit);
    }

    /**
     * Ratcliff-Obershelp similarity: twice the characters in common blocks, divided by all characters; from 0 to 1.
     */
    public static double likeness(String left, String right) {
        return left.isEmpty() && right.isEmpty() ? 1 : 2.0 * common(left, right) / (left.length() + right.length());
    }

    /** Upper bound of the similarity, as if the longer contained all characters of the shorter. */
    private static double maxLikeness(String left, String right) {
        return 2.0 * Math.min(left.length(), right.length()) / (left.length() + right.length());
    }

    private static int common(String left, String right) {
        int[] lengths = new int[right.length() + 1];
        int longest = 0;
        int leftEnd = 0;
        int rightEnd = 0;
        for (int i = 1; i <= left.length(); i++) {
            for (int j = right.length(); j >= 1; j--) {
                lengths[j] = left.charAt(i - 1) == right.charAt(j - 1) ? lengths[j - 1] + 1 : 0;
                if (lengths[j] > longest || (lengths[j] == longest && longest > 0 && i == leftEnd && j < rightEnd)) {
                    longest = lengths[j];
                    leftEnd = i;
                    rightEnd = j;
                }
            }
        }
        if (longest == 0) {
            return 0;
        }
        return longest
                + common(left.substring(0, leftEnd - longest), right.substring(0, rightEnd - longest))
                + common(left.substring(leftEnd), right.substring(rightEnd));
    }
}

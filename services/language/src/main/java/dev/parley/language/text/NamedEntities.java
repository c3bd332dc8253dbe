package dev.parley.language.text;

import static java.util.Locale.ROOT;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Named entity recognition by rules: capitalised names, acronyms, handles, addresses, hosts, quoted titles, and
 * products with versions. A word at the start of a sentence is a name only if its successor implies it, or the text
 * contains it elsewhere; a German noun only if its neighbours imply it.
 */
public final class NamedEntities {
    /** Maximum names of a sentence. */
    public static final int MAX_NAMES = 12;

    private static final int MAX_LENGTH = 80;

    private static final Pattern TOKEN = Pattern.compile("(?<mail>[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,4})"
            + "|(?:https?://|www\\.)(?<host>[\\p{L}\\d-]{1,63}(?:\\.[\\p{L}\\d-]{1,63}){1,5})[^\\s<>\"')]*+"
            + "|(?<![\\w@])(?<handle>@[A-Za-z_]\\w{1,31})"
            + "|[\"“„«](?<title>\\p{Lu}[^\"“”„«»]{1,78})[\"”“»]"
            + "|(?<word>[\\p{L}\\p{N}](?:[\\p{L}\\p{N}]|['’.+#&-](?=[\\p{L}\\p{N}]))*+\\+{0,2})");
    private static final Pattern CALLED = Pattern.compile(
            "(?iU)\\b(?:my name is|my name's|call me|i am called|ich heiße|mein name ist|nenn mich|je m['’]appelle|me llamo)\\s+(?<name>(?-i:\\p{Ll})\\p{L}{1,30})");
    private static final Pattern VERSION = Pattern.compile("v?\\d{1,4}(?:\\.\\d{1,4}){1,3}");
    private static final Pattern SHORT_NUMBER = Pattern.compile("\\d{1,3}");
    private static final Pattern ACRONYM = Pattern.compile("(?=.*\\p{Lu}.*\\p{Lu})[\\p{Lu}\\d][\\p{Lu}\\d&+.-]{1,7}s?");
    private static final Pattern INITIAL = Pattern.compile("\\p{Lu}");
    private static final Pattern ABSTRACT =
            Pattern.compile(".*(?:ung|ungen|heit|heiten|keit|keiten|schaft|tion|tionen|tät|chen|nis|tum|ismus|ing|ly)");
    private static final Set<String> BEFORE_GERMAN = Set.of(
            "in", "nach", "aus", "bei", "von", "mit", "heißt", "heiße", "namens", "für", "an", "gegen", "über", "und",
            "oder", "ist", "bin", "durch", "ohne");
    private static final Set<String> SUBJECT_OF = Set.of(
            "is",
            "was",
            "has",
            "had",
            "will",
            "would",
            "can",
            "could",
            "should",
            "may",
            "and",
            "who",
            "said",
            "says",
            "went",
            "came",
            "got",
            "took",
            "made",
            "gave",
            "told",
            "met",
            "bought",
            "left",
            "began",
            "became",
            "ist",
            "war",
            "hat",
            "hatte",
            "wird",
            "kann",
            "und",
            "mag",
            "wohnt",
            "lebt",
            "arbeitet",
            "kommt",
            "heißt",
            "geht",
            "est",
            "était",
            "habite",
            "travaille",
            "aime",
            "et",
            "va",
            "es",
            "era",
            "tiene",
            "vive",
            "trabaja",
            "fue",
            "y",
            "isn't",
            "wasn't",
            "doesn't",
            "hasn't",
            "won't",
            "can't",
            "never",
            "also");
    private static final Set<String> ARTICLES = Set.of(
            "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "mein", "meine",
            "meinen", "meinem", "meiner", "dein", "deine", "sein", "seine", "seinen", "seinem", "ihr", "ihre", "ihren",
            "ihrem", "unser", "unsere", "unseren", "unserem", "im", "am", "zum", "zur", "vom", "beim", "kein", "keine",
            "keinen");

    private record Token(String text, int from, int to, boolean word) {
        String lower() {
            return text.toLowerCase(ROOT);
        }

        boolean capital() {
            return word && Character.isUpperCase(text.codePointAt(0));
        }
    }

    private final String sentence;
    private final boolean atHead;
    private final boolean german;
    private final Set<String> knownNames;
    private final List<Token> tokens = new ArrayList<>();
    private final LinkedHashMap<String, String> found = new LinkedHashMap<>();

    private NamedEntities(String sentence, boolean atHead, boolean german, Set<String> knownNames) {
        this.sentence = sentence;
        this.atHead = atHead;
        this.german = german;
        this.knownNames = knownNames;
    }

    /**
     * The distinct names in a sentence, in order.
     *
     * @param atHead whether the first word starts a sentence, and is therefore capitalised anyway
     * @param german whether all nouns are capitalised
     * @param knownNames lower-case words that are names elsewhere
     */
    public static List<String> in(String sentence, boolean atHead, boolean german, Set<String> knownNames) {
        var names = new NamedEntities(sentence, atHead, german, knownNames);
        names.read();
        return names.found.values().stream().limit(MAX_NAMES).toList();
    }

    /** Lower-case words that are part of a name not at the start of a sentence. */
    public static Set<String> knownIn(Collection<String> sentences, boolean german) {
        var knownNames = new TreeSet<String>();
        for (String sentence : sentences) {
            var names = new NamedEntities(sentence, true, german, Set.of());
            names.read();
            names.found.keySet().stream()
                    .filter(name -> !sentence.toLowerCase(ROOT).startsWith(name))
                    .forEach(knownNames::add);
        }
        return knownNames;
    }

    /** Whether most identifying words of a text are German. */
    public static boolean isGerman(String text) {
        Matcher words = Pattern.compile("\\p{L}++").matcher(text);
        int german = 0;
        int total = 0;
        while (total < 2_000 && words.find()) {
            total++;
            german += Vocabulary.GERMAN.contains(words.group().toLowerCase(ROOT)) ? 1 : 0;
        }
        return german * 5 > total;
    }

    private void read() {
        tokenise();
        Matcher called = CALLED.matcher(sentence);
        if (called.find() && !Vocabulary.FUNCTION.contains(called.group("name").toLowerCase(ROOT))) {
            add(called.group("name")); // also without a capital
        }
        boolean headline = isHeadline();
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (!token.word()) {
                add(token.text());
            } else if (!headline && begins(i)) {
                i = name(i);
            } else if (isAcronym(token) && !isShouted()) {
                i = addWithVersion(i, token.text());
            }
        }
    }

    private void tokenise() {
        for (Matcher matcher = TOKEN.matcher(sentence); matcher.find(); ) {
            String special = first(matcher, "mail", "host", "handle", "title");
            if (special.isEmpty()) {
                String word = matcher.group("word").replaceFirst("['’]s$", "");
                tokens.add(new Token(word, matcher.start(), matcher.start() + word.length(), true));
            } else {
                tokens.add(new Token(special, matcher.start(), matcher.end(), false));
            }
        }
    }

    private static String first(Matcher matcher, String... groups) {
        for (String group : groups) {
            String text = matcher.group(group);
            if (text != null) {
                return text;
            }
        }
        return "";
    }

    /** Whether the sentence is a title, in which capitals mean nothing. */
    private boolean isHeadline() {
        long words = tokens.stream().filter(Token::word).count();
        long capitals = tokens.stream()
                .filter(token -> token.capital() && token.text().length() > 1)
                .count();
        return words >= 6 && capitals * 10 > words * 7;
    }

    private boolean isShouted() {
        long upper = sentence.chars().filter(Character::isUpperCase).count();
        long letters = sentence.chars().filter(Character::isLetter).count();
        return letters > 12 && upper * 2 > letters;
    }

    private static boolean isAcronym(Token token) {
        return ACRONYM.matcher(token.text()).matches() && !Vocabulary.COMMON.contains(token.lower());
    }

    /** Whether a name starts with this word. */
    private boolean begins(int i) {
        Token token = tokens.get(i);
        if (!token.word()
                || !(token.capital() || hasInnerCapital(token.text()))
                || isCommon(token)
                || isAcronym(token)
                || token.text().length() < 2) {
            return false;
        }
        if (knownNames.contains(token.lower()) || hasInnerCapital(token.text())) {
            return true;
        }
        if (atHead && i == 0) {
            return isNamedAtHead();
        }
        if (i > 0 && sentence.substring(tokens.get(i - 1).to(), token.from()).contains(":")) {
            return false; // like the start of a sentence
        }
        return !german || isNamedInGerman(i);
    }

    private static boolean isCommon(Token token) {
        String lower = token.lower();
        return Vocabulary.COMMON.contains(lower)
                || Vocabulary.FUNCTION.contains(lower)
                || Vocabulary.TITLES.contains(lower)
                || Vocabulary.FILLER.contains(lower);
    }

    private static boolean hasInnerCapital(String word) {
        return word.chars().skip(1).anyMatch(Character::isUpperCase)
                && word.chars().anyMatch(Character::isLowerCase);
    }

    /** Whether the continuation marks the first word as a name: "Emma works", "Emma Stone", "Emma and I". */
    private boolean isNamedAtHead() {
        Token head = tokens.getFirst();
        if (tokens.size() == 1 || ABSTRACT.matcher(head.lower()).matches()) {
            return false;
        }
        Token next = tokens.get(1);
        boolean possessive = sentence.startsWith("'s", head.to()) || sentence.startsWith("’s", head.to());
        if (possessive) {
            return true;
        }
        if (!areAdjacent(0, 1)) {
            return sentence.startsWith(", ", head.to()) && next.capital() && !isCommon(next);
        }
        if (german && Vocabulary.GERMAN_NOUNS.contains(head.lower())) {
            return false;
        }
        boolean verb = VERSION.matcher(next.text()).matches()
                || SUBJECT_OF.contains(next.lower())
                || (!german && next.lower().length() > 3 && next.lower().matches("[a-z]+(?:[^s]s|ed)"));
        return verb || (next.capital() && !isCommon(next));
    }

    /**
     * In German, capitals mean nothing; a name has no article, and a first name is followed by a last name, or preceded
     * by a word that introduces names.
     */
    private boolean isNamedInGerman(int i) {
        Token token = tokens.get(i);
        if (i == 0 || ABSTRACT.matcher(token.lower()).matches() || Vocabulary.GERMAN_NOUNS.contains(token.lower())) {
            return false;
        }
        String before = tokens.get(i - 1).lower();
        boolean introduced = before.equals("und")
                ? i > 1 && found.containsKey(tokens.get(i - 2).lower())
                : BEFORE_GERMAN.contains(before);
        return introduced || Vocabulary.TITLES.contains(before) || isApposition(i) || isFirstOfFullName(i);
    }

    /** "Der Kollege Jonas". */
    private boolean isApposition(int i) {
        return i > 1
                && tokens.get(i - 1).capital()
                && areAdjacent(i - 1, i)
                && ARTICLES.contains(tokens.get(i - 2).lower());
    }

    private boolean isFirstOfFullName(int i) {
        return i + 1 < tokens.size()
                && tokens.get(i + 1).capital()
                && areAdjacent(i, i + 1)
                && !isCommon(tokens.get(i + 1))
                && !ARTICLES.contains(tokens.get(i - 1).lower());
    }

    /** Adds the name that starts here. Returns the index of its last word. */
    private int name(int start) {
        int end = start;
        for (int next = start + 1; next < tokens.size() && next - start < 6; next++) {
            Token token = tokens.get(next);
            if (!areAdjacent(next - 1, next)) {
                break;
            }
            if (token.capital() && !isEnd(token)) {
                end = next;
            } else if (!Vocabulary.PARTICLES.contains(token.lower()) || next - end > 2) {
                break;
            }
        }
        return addWithVersion(
                end,
                sentence.substring(tokens.get(start).from(), tokens.get(end).to()));
    }

    private static boolean isEnd(Token token) {
        String lower = token.lower();
        return token.text().equals("I")
                || Vocabulary.FUNCTION.contains(lower)
                || (Vocabulary.COMMON.contains(lower)
                        && !INITIAL.matcher(token.text()).matches()
                        && isDay(lower));
    }

    private static boolean isDay(String lower) {
        return lower.length() > 2
                && Vocabulary.COMMON.contains(lower)
                && lower.matches(".*(?:day|ber|uary|ril|tag|woch|ust|july?|june?|may|mai|march|märz)");
    }

    /** Adds a name, with its version if one follows. Returns the index of the last word. */
    private int addWithVersion(int end, String name) {
        add(name);
        if (end + 1 < tokens.size() && areAdjacent(end, end + 1)) {
            String number = tokens.get(end + 1).text();
            boolean last = end + 2 == tokens.size() || !areAdjacent(end + 1, end + 2);
            if (VERSION.matcher(number).matches()
                    || (last && SHORT_NUMBER.matcher(number).matches())) {
                add(name + " " + number);
                return end + 1;
            }
        }
        return end;
    }

    /** Whether only a space, or the full stop of an initial, separates two words. */
    private boolean areAdjacent(int first, int second) {
        String between =
                sentence.substring(tokens.get(first).to(), tokens.get(second).from());
        return between.isBlank() && !between.contains("\n")
                || between.equals(". ")
                        && INITIAL.matcher(tokens.get(first).text()).matches();
    }

    private void add(String name) {
        String clean = name.replaceAll("\\s+", " ").strip();
        if (clean.length() <= MAX_LENGTH && clean.length() > 1) {
            found.putIfAbsent(clean.toLowerCase(ROOT), clean);
        }
    }
}

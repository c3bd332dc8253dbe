package dev.parley.language.time;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The vocabulary of a language. Each has a word table among the resources, {@code english.words} etc.: a line has a
 * role, a value if any, and the words and phrases with that role, separated by commas. Accents and case are ignored.
 */
enum Language {
    ENGLISH,
    GERMAN,
    FRENCH,
    SPANISH,
    ITALIAN;

    /** Maximum words of a phrase. */
    private static final int PHRASE = 5;

    private final Map<String, Map<WordRole, Integer>> words = new HashMap<>();
    /** Words of the longest phrase starting with this one. */
    private final Map<String, Integer> phrases = new HashMap<>();

    Language() {
        String table = name().toLowerCase(Locale.ROOT) + ".words";
        try (InputStream in = Objects.requireNonNull(Language.class.getResourceAsStream(table), table)) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .forEach(this::line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void line(String line) {
        String[] parts = line.strip().split(" ", 2);
        WordRole role = WordRole.valueOf(parts[0]);
        String forms = parts[1];
        int value = 0;
        if (forms.charAt(0) == '-' || Character.isDigit(forms.charAt(0)) && forms.indexOf(' ') < 6) {
            String[] numbered = forms.split(" ", 2);
            value = Integer.parseInt(numbered[0]);
            forms = numbered[1];
        }
        for (String form : forms.split(",\\s*")) {
            String folded = Tokenizer.fold(form);
            words.computeIfAbsent(folded, ignored -> new EnumMap<>(WordRole.class))
                    .putIfAbsent(role, value);
            String[] pieces = folded.split(" ");
            if (pieces.length > PHRASE) {
                throw new IllegalStateException("a phrase of more than " + PHRASE + " words: " + form);
            }
            phrases.merge(pieces[0], pieces.length, Math::max);
        }
    }

    private @Nullable Map<WordRole, Integer> meaning(String word) {
        return words.get(word);
    }

    /** The language of most words of a text; several if it is ambiguous between others than English. */
    static List<Language> of(List<Token> tokens) {
        int[] scores = scores(tokens);
        int best = Math.max(1, Arrays.stream(scores).max().orElseThrow());
        if (scores[ENGLISH.ordinal()] == best) {
            return List.of(ENGLISH);
        }
        var languages = new ArrayList<Language>();
        for (Language language : values()) {
            if (scores[language.ordinal()] == best) {
                languages.add(language);
            }
        }
        return languages.isEmpty() ? List.of(ENGLISH) : languages;
    }

    /** The number of words that each language has. */
    private static int[] scores(List<Token> tokens) {
        int[] scores = new int[values().length];
        for (Token token : tokens) {
            if (token.isWord()) {
                for (Language language : values()) {
                    scores[language.ordinal()] += language.words.containsKey(token.text()) ? 1 : 0;
                }
            }
        }
        return scores;
    }

    /** The tokens with their roles in this language; phrases are joined. */
    List<Token> read(List<Token> tokens) {
        var read = new ArrayList<Token>(tokens.size());
        for (int i = 0; i < tokens.size(); ) {
            Token token = tokens.get(i);
            int length = token.isWord() ? phrases.getOrDefault(token.text(), 0) : 0;
            int consumed = 1;
            if (length > 0) {
                for (int n = Math.min(length, tokens.size() - i); n >= 1; n--) {
                    Map<WordRole, Integer> meaning = meaning(phrase(tokens, i, n));
                    if (meaning != null) {
                        token = token.as(meaning, tokens.get(i + n - 1).to());
                        consumed = n;
                        break;
                    }
                }
            }
            read.add(token);
            i += consumed;
        }
        return read;
    }

    private static String phrase(List<Token> tokens, int from, int length) {
        if (length == 1) {
            return tokens.get(from).text();
        }
        var phrase = new StringBuilder(tokens.get(from).text());
        for (int i = 1; i < length; i++) {
            phrase.append(' ').append(tokens.get(from + i).text());
        }
        return phrase.toString();
    }
}

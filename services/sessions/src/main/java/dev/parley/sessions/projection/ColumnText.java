package dev.parley.sessions.projection;

import dev.parley.domain.Names;
import dev.parley.language.text.Clip;
import dev.parley.sessions.SearchText;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Normalises texts for columns: characters, length, titles, slugs. */
final class ColumnText {
    /** Title of a session that has none yet. */
    static final String PLACEHOLDER = "New session";

    private static final int TITLE = 60;
    private static final int SLUG = 80;
    private static final char REPLACEMENT = '\uFFFD';
    private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");

    private ColumnText() {}

    /** The text with characters that Postgres cannot store, NUL and unpaired surrogates, replaced by U+FFFD. */
    static String clean(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isBad(text, i)) {
                var clean = new StringBuilder(text);
                for (int j = i; j < text.length(); j++) {
                    if (isBad(text, j)) {
                        clean.setCharAt(j, REPLACEMENT);
                    }
                }
                return clean.toString();
            }
        }
        return text;
    }

    private static boolean isBad(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        if (Character.isLowSurrogate(c)) {
            return i == 0 || !Character.isHighSurrogate(text.charAt(i - 1));
        }
        return c == 0;
    }

    /** The clean text, cut to at most {@code length} characters. */
    static String clip(String text, int length) {
        return clean(Clip.start(text, length));
    }

    static @Nullable String clipNullable(@Nullable String text, int length) {
        return text == null ? null : clip(text, length);
    }

    /** A title derived from a message: its first line, cut at a word boundary; empty where there is none. */
    static String title(String text) {
        String line = text.lines()
                .map(raw -> Names.cleaned(Clip.start(raw, 10 * TITLE)).strip())
                .filter(l -> !l.isEmpty())
                .findFirst()
                .orElse("");
        if (line.length() <= TITLE) {
            return clean(line);
        }
        int space = line.lastIndexOf(' ', TITLE - 1);
        return clip(line, space > 0 ? space : TITLE - 1).strip() + "…";
    }

    /** The slug of a text: lower-case words joined by hyphens. */
    static String slug(String text) {
        String words = NO_WORD.matcher(SearchText.foldText(text)).replaceAll("-");
        int start = words.startsWith("-") ? 1 : 0;
        String slug = clip(words.substring(start), SLUG);
        slug = slug.endsWith("-") ? slug.substring(0, slug.length() - 1) : slug;
        return slug.isEmpty() ? "session" : slug;
    }
}

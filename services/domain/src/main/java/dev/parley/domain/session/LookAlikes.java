package dev.parley.domain.session;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/** Texts as people read them: two that look alike have the same fold. It is for comparison, never shown. */
public final class LookAlikes {
    /** Letters of other scripts that look like Latin ones, after folding of case, and the Latin ones. */
    private static final String FOREIGN = "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501"
            + "\u051b\u051d\u043a\u043c\u0442\u0432\u043d\u04cf\u0261\u03bf\u03b1\u03b5\u03b9\u03ba\u03bd\u03c1\u03c4"
            + "\u03c5\u03c7\u0578\u0585\u057d\u0566\u0570";

    private static final String LATIN = "aeopcyxijshd" + "qwkmtbhlg" + "oaeikvpt" + "uxnouqh";

    /** Characters that look like a colon. */
    private static final String COLONS = "\u02d0\u02f8\u0589\u05c3\u0703\u0704\u16ec\u1804\u205a\u2236\ua789";

    /** Characters that are not seen: of formats, of no meaning, fillers, variation selectors. */
    private static final Pattern UNSEEN = Pattern.compile(
            "[\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u3164\\ufe00-\\ufe0f\\uffa0]");

    private LookAlikes() {}

    /** The fold of a text. */
    public static String fold(String text) {
        boolean isAscii = text.chars().allMatch(c -> c < 0x80);
        return isAscii ? text.toLowerCase(Locale.ROOT) : foldForeign(text);
    }

    private static String foldForeign(String text) {
        String composed = Normalizer.normalize(text, Normalizer.Form.NFKC);
        String lower = composed.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
        var folded = new StringBuilder(lower.length());
        UNSEEN.matcher(lower).replaceAll("").chars().forEach(c -> folded.append(letter((char) c)));
        return folded.toString();
    }

    private static char letter(char c) {
        int foreign = c < 0x80 ? -1 : FOREIGN.indexOf(c);
        if (foreign >= 0) {
            return LATIN.charAt(foreign);
        }
        return c >= 0x80 && COLONS.indexOf(c) >= 0 ? ':' : c;
    }
}

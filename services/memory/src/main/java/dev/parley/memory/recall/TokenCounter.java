package dev.parley.memory.recall;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;

/** Counts tokens with the encoding cl100k_base. */
public final class TokenCounter {
    private static final Encoding ENCODING = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);

    private static final int MAX_DIGITS = 3;

    private TokenCounter() {}

    /** Number of tokens of a text. */
    public static int of(String text) {
        return ENCODING.countTokensOrdinary(text);
    }

    /**
     * A lower bound of the tokens of a text, computed much faster: no token spans the end of a word, and none has more
     * than three digits. Non-ASCII letters and digits are not counted.
     */
    static int atLeast(String text) {
        int tokens = 0;
        int digits = 0;
        boolean inWord = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 128) {
                continue; // may be part of an adjacent token
            }
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
            boolean digit = c >= '0' && c <= '9';
            tokens += letter && !inWord || digit && digits % MAX_DIGITS == 0 ? 1 : 0;
            inWord = letter;
            digits = digit ? digits + 1 : 0;
        }
        return tokens;
    }
}

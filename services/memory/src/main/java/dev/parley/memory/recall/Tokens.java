package dev.parley.memory.recall;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;

/** Counts tokens as models do, roughly. */
public final class Tokens {
    private static final Encoding ENCODING = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);

    private static final int MOST_DIGITS = 3;

    private Tokens() {}

    /** How many tokens a text has. */
    public static int of(String text) {
        return ENCODING.countTokensOrdinary(text);
    }

    /**
     * A number of tokens that a text has at least, found much faster: no token reaches over the end of a word, and none has more
     * than three digits. Letters and digits that are not ASCII count for none.
     */
    static int atLeast(String text) {
        int tokens = 0;
        int digits = 0;
        boolean inWord = false;
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            if (one >= 128) {
                continue; // it may be a part of what is around it
            }
            boolean letter = one >= 'a' && one <= 'z' || one >= 'A' && one <= 'Z';
            boolean digit = one >= '0' && one <= '9';
            tokens += letter && !inWord || digit && digits % MOST_DIGITS == 0 ? 1 : 0;
            inWord = letter;
            digits = digit ? digits + 1 : 0;
        }
        return tokens;
    }
}

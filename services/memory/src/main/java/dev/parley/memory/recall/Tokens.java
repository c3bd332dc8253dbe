package dev.parley.memory.recall;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;

/** Counts tokens as models do, roughly. */
public final class Tokens {
    private static final Encoding ENCODING = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);

    private Tokens() {}

    /** How many tokens a text has. */
    public static int of(String text) {
        return ENCODING.countTokensOrdinary(text);
    }
}

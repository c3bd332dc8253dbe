package dev.parley.sessions.api.share;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Masks secrets of known forms, such as API keys and private keys, in texts for anonymous readers. Best effort: a
 * password in a sentence looks like any other word.
 */
public final class Masking {
    private static final String MASK = "•••";

    /** Patterns of secrets; a test checks the files of this repository against them. */
    public static final List<Pattern> SECRETS = List.of(
            // a bearer token, unless it is a plain word
            Pattern.compile("(?i)(?<=\\bBearer[ \\t]{1,4})(?=[\\w.~+/=-]{0,200}\\d)[\\w.~+/=-]{8,}"),
            Pattern.compile("\\bsk-[A-Za-z0-9_-]{8,}"),
            Pattern.compile("\\bparley[a-z]?_[0-9A-Za-z]{8}_[0-9A-Za-z]{16,}"),
            Pattern.compile("\\b(?:gh[pousr]_|github_pat_|glpat-)[A-Za-z0-9_-]{16,}"),
            Pattern.compile("\\b(?:xox[a-z]|xapp)-[A-Za-z0-9-]{8,}"),
            Pattern.compile("\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b"),
            Pattern.compile("\\bAIza[0-9A-Za-z_-]{30,}"),
            // an access token of Meta
            Pattern.compile("\\bEAA[A-Za-z0-9]{20,}"),
            // a bot token of Telegram
            Pattern.compile("\\b\\d{6,12}:AA[\\w-]{16,}"),
            // a JSON web token
            Pattern.compile("(?<![\\w-])eyJ[\\w-]{8,8192}+\\.[\\w-]{8,65536}+\\.[\\w-]*+"),
            Pattern.compile(
                    "-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\\s\\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|\\z)"),
            // a password in a URL; the colon before it is checked first, as that is fast
            Pattern.compile("(?<=:)(?<=://[^\\s/:@]{1,64}:)[^\\s/@]{1,256}(?=@)"));

    private Masking() {}

    /** The masked text; null stays null. */
    static @Nullable String mask(@Nullable String text) {
        return text == null ? null : of(text);
    }

    /** The masked text. */
    static String of(String text) {
        String masked = text;
        for (Pattern secret : SECRETS) {
            masked = secret.matcher(masked).replaceAll(MASK);
        }
        return masked;
    }
}

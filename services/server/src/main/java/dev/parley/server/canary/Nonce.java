package dev.parley.server.canary;

import java.security.SecureRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Random words that identify messages. */
final class Nonce {
    private static final Pattern FORM = Pattern.compile("canary-[a-z0-9]{16}");
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final SecureRandom RANDOM = new SecureRandom();

    private Nonce() {}

    static String next() {
        return RANDOM.ints(16, 0, LETTERS.length())
                .mapToObj(index -> LETTERS.substring(index, index + 1))
                .collect(Collectors.joining("", "canary-", ""));
    }

    /** Whether a text contains this nonce and no other one. */
    static boolean isOnlyOneIn(String text, String nonce) {
        return text.contains(nonce)
                && FORM.matcher(text).results().allMatch(found -> found.group().equals(nonce));
    }
}

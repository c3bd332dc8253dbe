package dev.parley.control.http;

import java.net.IDN;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * E-mail addresses in one form, so that two that look the same are the same: compatible characters are replaced (NFKC),
 * invisible ones are not accepted, and the domain is in lower case and Punycode. Comparisons ignore case.
 */
public final class EmailAddress {
    private static final int MAX_LENGTH = 254;
    private static final Pattern FORM =
            Pattern.compile("([^@\\s\\p{Cntrl}\\p{Cf}\\p{Z}<>,;]{1,64})@([^@\\s\\p{Cntrl}\\p{Cf}\\p{Z}<>,;]{1,189})");

    private EmailAddress() {}

    /** The address in its normal form; empty where the text is none. */
    public static Optional<String> normal(String text) {
        Matcher form = FORM.matcher(Normalizer.normalize(text, Normalizer.Form.NFKC));
        if (!form.matches()) {
            return Optional.empty();
        }
        try {
            String domain = IDN.toASCII(form.group(2), IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
            return Optional.of(form.group(1) + "@" + domain)
                    .filter(address -> !domain.isEmpty() && address.length() <= MAX_LENGTH);
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // a part of the domain is too long
        }
    }
}

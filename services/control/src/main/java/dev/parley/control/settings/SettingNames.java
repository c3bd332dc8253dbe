package dev.parley.control.settings;

import dev.parley.platform.http.ApiException;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Names of settings: any of a plain form, but none that is nearly one that Parley reads, as it would silently do nothing. */
public final class SettingNames {
    private static final Pattern FORM = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,63}");
    private static final int SLIPS = 2;

    private SettingNames() {}

    /** Checks the form of a name. @throws ApiException 400 where it has another one */
    static void check(String name) {
        if (!FORM.matcher(name).matches()) {
            throw ApiException.badRequest(
                    "invalid_setting",
                    "The name of a setting begins with a letter and has at most 64 letters, digits, '_', '.' and '-'");
        }
    }

    /** Refuses what is likely to be a slip of the pen. @throws ApiException 400 naming what may be meant */
    public static void requireMeant(String name, Collection<String> known) {
        if (!known.contains(name)) {
            near(name, known).ifPresent(meant -> {
                throw ApiException.badRequest(
                        "invalid_setting",
                        "There is no setting '%s'; did you mean '%s'? For one of your own take a name that differs more"
                                .formatted(name, meant));
            });
        }
    }

    private static Optional<String> near(String name, Collection<String> known) {
        String lower = name.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(other -> distance(lower, other.toLowerCase(Locale.ROOT)) <= SLIPS)
                .findFirst();
    }

    /** How many letters have to be put in, left out or changed; a great many where lengths differ by more. */
    private static int distance(String one, String other) {
        if (Math.abs(one.length() - other.length()) > SLIPS) {
            return Integer.MAX_VALUE;
        }
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[row.length - 1];
    }
}

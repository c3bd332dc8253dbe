package dev.parley.control.settings;

import dev.parley.platform.config.NearNames;
import dev.parley.platform.http.ApiException;
import java.util.Collection;
import java.util.regex.Pattern;

/** Names of settings: any of a plain form, but none that is nearly one that Parley reads, as it would silently do nothing. */
public final class SettingNames {
    private static final Pattern FORM = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,63}");

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
            NearNames.of(name, known).ifPresent(meant -> {
                throw ApiException.badRequest(
                        "invalid_setting",
                        "There is no setting '%s'; did you mean '%s'? For one of your own take a name that differs more"
                                .formatted(name, meant));
            });
        }
    }
}

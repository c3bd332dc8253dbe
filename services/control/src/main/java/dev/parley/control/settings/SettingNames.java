package dev.parley.control.settings;

import dev.parley.platform.config.NearNames;
import dev.parley.platform.http.ApiException;
import java.util.Collection;
import java.util.regex.Pattern;

/** Validation of setting names. A name close to one that Parley reads is rejected, as it would have no effect. */
public final class SettingNames {
    private static final Pattern FORM = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,63}");

    private SettingNames() {}

    /**
     * Checks the form of a name.
     *
     * @throws ApiException 400 where it is invalid
     */
    static void check(String name) {
        if (!FORM.matcher(name).matches()) {
            throw ApiException.badRequest(
                    "invalid_setting",
                    "The name of a setting must begin with a letter and have at most 64 letters, digits, '_', '.' and '-'");
        }
    }

    /**
     * Rejects a likely misspelling.
     *
     * @throws ApiException 400 naming the known setting
     */
    public static void rejectMisspelled(String name, Collection<String> knownNames) {
        if (!knownNames.contains(name)) {
            NearNames.of(name, knownNames).ifPresent(suggestion -> {
                throw ApiException.badRequest(
                        "invalid_setting",
                        "There is no setting '%s'; did you mean '%s'? For a setting of your own choose a more distinct name"
                                .formatted(name, suggestion));
            });
        }
    }
}

package dev.parley.control.credentials;

import dev.parley.control.http.Checks;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Caller;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whose credentials are meant.
 *
 * @param user null for the host's own
 */
record Owner(UUID host, @Nullable UUID user) {
    /**
     * The caller, or with {@code host} the caller's host.
     *
     * @throws dev.parley.platform.http.ApiException 403 when the caller may not do this, 400 for another word
     */
    static Owner of(Caller caller, @Nullable String word) {
        if (word == null) {
            caller.require(Capability.CREDENTIAL_MANAGE);
            return new Owner(caller.host(), caller.person().user());
        }
        if (!word.equals("host")) {
            throw Checks.invalid("owner", "is host, or is left out for one's own");
        }
        caller.require(Capability.SETTING_MANAGE);
        return new Owner(caller.host(), null);
    }

    /** A name for all that the owner has of a provider, to be locked. */
    String allOf(String provider) {
        return "credential/" + host + "/" + user + "/" + provider;
    }
}

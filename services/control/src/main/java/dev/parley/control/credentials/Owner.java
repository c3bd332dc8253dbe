package dev.parley.control.credentials;

import dev.parley.control.http.Checks;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Caller;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The owner of credentials.
 *
 * @param user null for the host
 */
record Owner(UUID host, @Nullable UUID user) {
    /**
     * The caller, or with {@code host} the caller's host.
     *
     * @throws dev.parley.platform.http.ApiException 403 when the caller may not do this, 400 for another value
     */
    static Owner of(Caller caller, @Nullable String owner) {
        if (owner == null) {
            caller.require(Capability.CREDENTIAL_MANAGE);
            return new Owner(caller.host(), caller.person().user());
        }
        if (!owner.equals("host")) {
            throw Checks.invalid("owner", "must be host, or omitted for your own");
        }
        caller.require(Capability.SETTING_MANAGE);
        return new Owner(caller.host(), null);
    }

    /** Name of the lock on the owner's credentials of a provider. */
    String allOf(String provider) {
        return "credential/" + host + "/" + user + "/" + provider;
    }
}

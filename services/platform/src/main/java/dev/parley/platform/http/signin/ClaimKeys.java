package dev.parley.platform.http.signin;

import dev.parley.platform.sealing.InstallationKey;
import dev.parley.platform.sealing.InstallationKey.Purpose;
import dev.parley.platform.sealing.MessageMacs;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * The keys of what browsers keep, derived from the key of the installation, the same on all instances. A process
 * without that key has one of its own, which nothing else accepts.
 */
@Singleton
public final class ClaimKeys {
    private final InstallationKey key;

    ClaimKeys(Optional<InstallationKey> key) {
        this.key = key.orElseGet(ClaimKeys::random);
    }

    private static InstallationKey random() {
        var bytes = new byte[InstallationKey.LENGTH];
        new SecureRandom().nextBytes(bytes);
        return InstallationKey.parse(Base64.getEncoder().encodeToString(bytes));
    }

    /** Signs and verifies messages of a purpose. */
    public MessageMacs macs(Purpose purpose) {
        return key.macs(purpose);
    }
}

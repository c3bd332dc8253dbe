package dev.parley.platform.http;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/** Who is behind a key: the one place that knows. For now there is one key, the installation's own. */
@Singleton
@Requires(property = "parley.admin-key")
final class Callers {
    private final byte[] adminKey;

    Callers(@Value("${parley.admin-key}") String adminKey) {
        if (adminKey.isBlank()) {
            throw new IllegalArgumentException("parley.admin-key is empty");
        }
        this.adminKey = adminKey.getBytes(StandardCharsets.UTF_8);
    }

    /** The owner of a key; takes as long for a wrong key as for a right one. */
    Optional<Caller> byKey(String key) {
        boolean same = MessageDigest.isEqual(adminKey, key.getBytes(StandardCharsets.UTF_8));
        return same ? Optional.of(Caller.ADMIN) : Optional.empty();
    }

    /** The user with this id. */
    Optional<Caller> byUser(String user) {
        return user.equals(Caller.ADMIN.user()) ? Optional.of(Caller.ADMIN) : Optional.empty();
    }

    /** What this installation signs with; the same on every instance, and gone when the key changes. */
    byte[] secret() {
        return adminKey.clone();
    }
}

package dev.parley.platform.http;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.UUID;

/** Who is behind a key: the one place that knows. For now there is one key, the installation's own. */
@Singleton
@Requires(property = "parley.admin-key")
final class Callers {
    private static final String ADMIN = "admin";

    private final byte[] adminKey;
    private final Caller admin;

    @Inject
    Callers(@Value("${parley.admin-key}") String adminKey, @Value("${parley.host:}") String host) {
        this(adminKey, host.isBlank() ? Caller.DEFAULT_HOST : UUID.fromString(host));
    }

    Callers(String adminKey, UUID host) {
        if (adminKey.isBlank()) {
            throw new IllegalArgumentException("parley.admin-key is empty");
        }
        this.adminKey = adminKey.getBytes(StandardCharsets.UTF_8);
        this.admin = new Caller(ADMIN, host, true);
    }

    /** The owner of a key; takes as long for a wrong key as for a right one. */
    Optional<Caller> byKey(String key) {
        boolean same = MessageDigest.isEqual(adminKey, key.getBytes(StandardCharsets.UTF_8));
        return same ? Optional.of(admin) : Optional.empty();
    }

    /** The user with this id. */
    Optional<Caller> byUser(String user) {
        return user.equals(ADMIN) ? Optional.of(admin) : Optional.empty();
    }

    /** What this installation signs with; the same on every instance, and gone when the key changes. */
    byte[] secret() {
        return adminKey.clone();
    }
}

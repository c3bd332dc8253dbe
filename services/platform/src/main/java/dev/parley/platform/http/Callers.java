package dev.parley.platform.http;

import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.access.BearerToken;
import dev.parley.platform.http.signin.IssuedKey;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.Optional;

/** Resolves keys to callers. */
@Singleton
@Requires(property = "parley.admin-key")
public final class Callers {
    private final byte[] adminKey;
    private final AccessDirectory directory;
    private final Clock clock;

    @Inject
    public Callers(@Value("${parley.admin-key}") String adminKey, Optional<AccessDirectory> directory) {
        this(adminKey, directory.orElse(AccessDirectory.NOTHING), Clock.systemUTC());
    }

    public Callers(String adminKey, AccessDirectory directory, Clock clock) {
        if (adminKey.isBlank()) {
            throw new IllegalArgumentException("parley.admin-key is empty");
        }
        this.adminKey = adminKey.getBytes(StandardCharsets.UTF_8);
        this.directory = directory;
        this.clock = clock;
    }

    /** The owner of a known key; takes equally long for wrong keys. */
    public Optional<Caller> byKey(String key) {
        if (MessageDigest.isEqual(adminKey, key.getBytes(StandardCharsets.UTF_8))) {
            return Optional.of(Caller.installation(directory));
        }
        return BearerToken.prefixOf(key)
                .flatMap(directory::key)
                .filter(found -> BearerToken.matches(found, key))
                .flatMap(this::caller);
    }

    /** Whether an unknown key may have just been created by another process. */
    boolean mayBeNew(String key) {
        return BearerToken.prefixOf(key)
                .filter(prefix -> directory.key(prefix).isEmpty())
                .isPresent();
    }

    /** The owner of a key that another process may have just created; waits for its record. */
    Optional<Caller> byNewKey(String key) {
        directory.catchUp();
        return byKey(key);
    }

    /** The name of a key in signed claims: its prefix, or the whole content of a key that is not stored. */
    public String nameOf(AccessKey key) {
        return key.isIssued() ? IssuedKey.write(key) : key.prefix();
    }

    /** The owner of the key that a signed claim names. */
    public Optional<Caller> findByName(String name) {
        Caller installation = Caller.installation(directory);
        return name.equals(installation.key().prefix())
                ? Optional.of(installation)
                : IssuedKey.read(name).or(() -> directory.key(name)).flatMap(this::caller);
    }

    private Optional<Caller> caller(AccessKey key) {
        return Caller.of(key, directory, clock.instant());
    }
}

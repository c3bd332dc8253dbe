package dev.parley.control.people;

import dev.parley.platform.http.ApiException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** Passwords, as bcrypt keeps them. Each check costs as much as any other, and only so many go on at once. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class Passwords {
    private static final int STRENGTH = 10;
    private static final int SHORTEST = 10;
    private static final int LONGEST = 72;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final BCryptPasswordEncoder bcrypt = new BCryptPasswordEncoder(STRENGTH);
    private final Semaphore turns =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), true);
    /** What is compared where there is nothing to compare with. */
    private final String nobody = bcrypt.encode("nobody has this password");

    /** @throws ApiException 400 where this can be no password */
    String hash(String password) {
        int bytes = password.getBytes(StandardCharsets.UTF_8).length;
        if (password.codePointCount(0, password.length()) < SHORTEST || bytes > LONGEST) {
            throw ApiException.badRequest(
                    "invalid_password",
                    "A password has at least %d characters and at most %d bytes".formatted(SHORTEST, LONGEST));
        }
        return inTurn(() -> bcrypt.encode(password));
    }

    /** Whether this is the password; takes as long where there is none. */
    boolean matches(String password, @Nullable String hash) {
        boolean possible = password.getBytes(StandardCharsets.UTF_8).length <= LONGEST;
        String given = possible ? password : "";
        boolean same = inTurn(() -> bcrypt.matches(given, hash == null ? nobody : hash));
        return same && possible && hash != null;
    }

    private <T> T inTurn(Supplier<T> work) {
        try {
            if (!turns.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new ApiException(HttpStatus.SERVICE_UNAVAILABLE, "overloaded", "Too many people sign in at once.")
                        .retryAfter(PATIENCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiException(HttpStatus.SERVICE_UNAVAILABLE, "unavailable", "This instance is being stopped.");
        }
        try {
            return work.get();
        } finally {
            turns.release();
        }
    }
}

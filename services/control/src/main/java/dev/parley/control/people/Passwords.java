package dev.parley.control.people;

import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** Bcrypt password hashes. Checks take equal time, whether or not the account exists; few run concurrently. */
@Singleton
final class Passwords {
    private static final int STRENGTH = 10;
    private static final int MIN_CHARACTERS = 10;
    private static final int MAX_BYTES = 72;
    private static final Duration QUEUE_TIMEOUT = Duration.ofSeconds(5);

    private final BCryptPasswordEncoder bcrypt = new BCryptPasswordEncoder(STRENGTH);
    private final Semaphore slots =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), true);
    /** The hash that passwords are compared with where the account has none. */
    private final String dummyHash = bcrypt.encode("nobody has this password");

    /** @throws ApiException 400 where the password is too short or too long */
    String hash(String password) {
        int bytes = password.getBytes(StandardCharsets.UTF_8).length;
        if (password.codePointCount(0, password.length()) < MIN_CHARACTERS || bytes > MAX_BYTES) {
            throw ApiException.badRequest(
                    "invalid_password",
                    "A password must have at least %d characters and at most %d bytes"
                            .formatted(MIN_CHARACTERS, MAX_BYTES));
        }
        return runLimited(() -> bcrypt.encode(password));
    }

    /** Whether the password matches; takes equal time without a hash. */
    boolean matches(String password, @Nullable String hash) {
        boolean possible = password.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
        String checked = possible ? password : "";
        boolean matches = runLimited(() -> bcrypt.matches(checked, hash == null ? dummyHash : hash));
        return matches && possible && hash != null;
    }

    private <T> T runLimited(Supplier<T> work) {
        try {
            if (!slots.tryAcquire(QUEUE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new ApiException(
                                HttpStatus.SERVICE_UNAVAILABLE,
                                "overloaded",
                                "Too many sign-ins at once: try again later.")
                        .retryAfter(QUEUE_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiException(HttpStatus.SERVICE_UNAVAILABLE, "unavailable", "This instance is shutting down.");
        }
        try {
            return work.get();
        } finally {
            slots.release();
        }
    }
}

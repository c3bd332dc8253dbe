package dev.parley.platform.http.signin;

import dev.parley.domain.Sha256;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import io.micronaut.context.BeanProvider;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Cookies whose browser signed out: a copy of one is worth nothing from then on, on any instance. That is looked up in
 * the database at each use; a process without one knows its own only.
 */
@Singleton
final class EndedCookies {
    private static final int MAX_KNOWN = 10_000;
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final Optional<Database> database;
    private final BeanProvider<EndedCookieRows> rows;
    private final Map<String, Instant> known = new BoundedMap<>(MAX_KNOWN);

    EndedCookies(Optional<Database> database, BeanProvider<EndedCookieRows> rows) {
        this.database = database;
        this.rows = rows;
    }

    /**
     * Ends a cookie.
     *
     * @param until when it expires
     */
    void end(String id, Instant until) {
        synchronized (known) {
            known.put(id, until);
        }
        database.ifPresent(db -> db.in(Tenant.NONE, () -> {
            rows.get().deleteExpired();
            rows.get().insert(Sha256.of(id), until);
        }));
    }

    /**
     * Whether a cookie has ended.
     *
     * @throws ApiException 503 where that cannot be looked up
     */
    boolean has(String id) {
        synchronized (known) {
            if (known.containsKey(id)) {
                return true;
            }
        }
        try {
            return database.isPresent()
                    && database.get().readingIn(Tenant.NONE, () -> rows.get().has(Sha256.of(id)));
        } catch (FailedException e) {
            throw new ApiException(
                            HttpStatus.SERVICE_UNAVAILABLE,
                            "unavailable",
                            "Whether this browser is still signed in cannot be looked up now: try again later.",
                            e)
                    .retryAfter(RETRY);
        }
    }
}

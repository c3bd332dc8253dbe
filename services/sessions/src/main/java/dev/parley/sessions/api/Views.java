package dev.parley.sessions.api;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.ReadYourWrites;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.kafka.TopicEnds;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the views in read-only transactions with a statement timeout. */
@Singleton
public final class Views {

    /** Class of SQLSTATEs about values, such as a text with NUL. */
    private static final String DATA = "22";

    private static final String CANCELLED = "57014";

    private final Database database;
    private final ReadYourWrites freshness;

    Views(Database database, TopicEnds events) {
        this.database = database;
        this.freshness = new ReadYourWrites(database, events, "sessions.projection_offset_t");
    }

    /**
     * Reads a tenant's rows in one transaction: all repositories see the same snapshot.
     *
     * @throws ApiException 503 where Postgres is not available or the query takes too long
     */
    public <T> T read(Tenant tenant, Supplier<T> work) {
        return orFailure(() -> database.readingIn(tenant, work));
    }

    /** Like {@link #read}, for a list with optional filters. */
    public <T> T list(Tenant tenant, Supplier<T> work) {
        return orFailure(() -> database.listingIn(tenant, work));
    }

    private static <T> T orFailure(Supplier<T> read) {
        try {
            return read.get();
        } catch (FailedException e) {
            throw failure(e, e.state());
        }
    }

    private static RuntimeException failure(FailedException e, String state) {
        if (state.equals(CANCELLED)) {
            return new ApiException(
                    HttpStatus.SERVICE_UNAVAILABLE, "query_too_slow", "The query took too long: narrow it down", e);
        }
        if (state.startsWith(DATA)) {
            return ApiException.badRequest(
                    "invalid_value", "A value has characters that cannot be stored, or is out of range");
        }
        return Databases.isUnavailable(state)
                ? new ApiException(
                                HttpStatus.SERVICE_UNAVAILABLE,
                                "views_unavailable",
                                "The database does not respond; try again",
                                e)
                        .retryAfter(Duration.ofSeconds(2))
                : new IllegalStateException("a view could not be read", e);
    }

    /**
     * Retries a read until it finds something or the views have caught up: they follow the events with a short delay.
     */
    <T> Optional<T> eventually(Supplier<Optional<T>> read) {
        return freshness.eventually(read);
    }

    /**
     * Waits until the views show all earlier events, at most two seconds.
     *
     * @param fresh whether the caller requested it
     */
    void freshen(@Nullable Boolean fresh) {
        if (Boolean.TRUE.equals(fresh)) {
            freshness.await();
        }
    }
}

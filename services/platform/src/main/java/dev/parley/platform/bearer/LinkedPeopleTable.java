package dev.parley.platform.bearer;

import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code control.auth_identity_t}, like a sign-in, since external identities are on no topic. Results are cached
 * for 10 s, the longest time that an unlinked account is still accepted; for 1 min while the database does not answer,
 * so that no account can be unlinked. Permissions come from the topic {@code access} each time.
 */
final class LinkedPeopleTable implements LinkedPeople {
    private static final long FRESH = Duration.ofSeconds(10).toNanos();
    private static final long FRESH_MISS = Duration.ofSeconds(1).toNanos();
    private static final long STALE = Duration.ofMinutes(1).toNanos();
    private static final int MAX_CACHED = 10_000;

    private final Database database;
    private final LinkedIdentityRows rows;
    private final Map<Query, Cached> cache = new BoundedMap<>(MAX_CACHED);

    LinkedPeopleTable(Database database, LinkedIdentityRows rows) {
        this.database = database;
        this.rows = rows;
    }

    private record Query(String provider, String subject) {}

    /** @param at time of the read, in nanoseconds of this process */
    private record Cached(Optional<Found> found, long at) {
        long age() {
            return System.nanoTime() - at;
        }

        boolean isFresh() {
            return age() < (found.isPresent() ? FRESH : FRESH_MISS);
        }
    }

    @Override
    public Optional<Found> find(String provider, String subject) {
        var query = new Query(provider, subject);
        @Nullable Cached before = findCached(query);
        if (before != null && before.isFresh()) {
            return before.found();
        }
        try {
            Optional<Found> found = database.readingIn(Tenant.ALL, () -> rows.findLinked(provider, subject));
            cache(query, new Cached(found, System.nanoTime()));
            return found;
        } catch (FailedException e) {
            if (before == null || before.found().isEmpty() || before.age() > STALE) {
                throw e;
            }
            return before.found();
        }
    }

    private synchronized @Nullable Cached findCached(Query query) {
        return cache.get(query);
    }

    /** Caches a result as the newest entry. */
    private synchronized void cache(Query query, Cached now) {
        cache.remove(query);
        cache.put(query, now);
    }
}

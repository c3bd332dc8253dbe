package dev.parley.platform.bearer;

import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code control.auth_identity_t}, as a sign-in does: who somebody is elsewhere stands on no topic. What was found counts for ten
 * seconds, so that an account which is unlinked is let in for no longer; while the database does not answer, and so nobody can unlink
 * one, for a minute. Whether the person may do anything at all is asked of the topic {@code access}, each time.
 */
final class LinkedPeopleTable implements LinkedPeople {
    private static final long FRESH = Duration.ofSeconds(10).toNanos();
    private static final long FRESH_NOBODY = Duration.ofSeconds(1).toNanos();
    private static final long STALE = Duration.ofMinutes(1).toNanos();
    private static final int MANY = 10_000;

    private static final String FIND = """
            SELECT h.host_id, h.user_id
            FROM control.auth_identity_t i JOIN control.user_host_t h USING (user_id)
            WHERE i.provider = ? AND i.subject = ?
            ORDER BY h.active DESC, h.joined_ts LIMIT 1
            """;

    private final Database database;
    private final Map<Query, Seen> seen = new BoundedMap<>(MANY);

    LinkedPeopleTable(Database database) {
        this.database = database;
    }

    private record Query(String provider, String subject) {}

    /** @param at when it was read, in nanoseconds of this process */
    private record Seen(Optional<Found> found, long at) {
        long age() {
            return System.nanoTime() - at;
        }

        boolean isFresh() {
            return age() < (found.isPresent() ? FRESH : FRESH_NOBODY);
        }
    }

    @Override
    public Optional<Found> find(String provider, String subject) {
        var query = new Query(provider, subject);
        @Nullable Seen before = seen(query);
        if (before != null && before.isFresh()) {
            return before.found();
        }
        try {
            Optional<Found> found = database.readingIn(
                    Tenant.ALL, transaction -> transaction.query(FIND, LinkedPeopleTable::first, provider, subject));
            remember(query, new Seen(found, System.nanoTime()));
            return found;
        } catch (FailedException e) {
            if (before == null || before.found().isEmpty() || before.age() > STALE) {
                throw e;
            }
            return before.found();
        }
    }

    private synchronized @Nullable Seen seen(Query query) {
        return seen.get(query);
    }

    /** What is read again goes to the end of those that are forgotten. */
    private synchronized void remember(Query query, Seen now) {
        seen.remove(query);
        seen.put(query, now);
    }

    private static Optional<Found> first(ResultSet row) throws SQLException {
        return row.next()
                ? Optional.of(new Found(row.getObject("host_id", UUID.class), row.getObject("user_id", UUID.class)))
                : Optional.empty();
    }
}

package dev.parley.sessions.history;

import dev.parley.domain.RecordKey;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.sessions.SearchQuery;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Full-text search over the messages of a conversation, including messages that were summarised and those of earlier
 * epochs of the key with the same owner. Other conversations are never searched: they may belong to other people.
 */
@Singleton
public final class PastMessages {
    /** Maximum number of results. */
    public static final int MOST = 20;

    private static final int SNIPPET = 500;

    private final Database database;
    private final PastMessageRows rows;

    PastMessages(Database database, PastMessageRows rows) {
        this.database = database;
        this.rows = rows;
    }

    /**
     * A message found.
     *
     * @param role {@code user} or {@code assistant}
     * @param text excerpt around the first match, at most 500 characters
     */
    public record Excerpt(Instant at, String role, String text) {}

    /**
     * Searches the messages under a session's key, the best first.
     *
     * @throws IllegalArgumentException where the query has no words
     */
    public List<Excerpt> find(UUID host, RecordKey session, String query, int max) {
        SearchQuery parsed = SearchQuery.parse(query);
        if (parsed.terms().isEmpty()) {
            throw new IllegalArgumentException("the query has no words to search for");
        }
        return database
                .in(
                        Tenant.of(host).project(session.projectId()),
                        () -> rows.search(
                                host, session.projectId(), session.session(), parsed.toTsQuery(), Math.min(max, MOST)))
                .stream()
                .map(row -> new Excerpt(
                        row.createdTs(),
                        row.role(),
                        parsed.snippet(row.text(), SNIPPET).text()))
                .toList();
    }
}

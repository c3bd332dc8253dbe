package dev.parley.sessions.projection;

import dev.parley.platform.database.RowBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Assigns unique slugs to new sessions: {@code fix-bug}, then {@code fix-bug-2}. Assigned slugs are stored and looked
 * up again, so a replay yields the same slugs in any order of the sessions. Its SQL is by hand: batches with one array
 * per column, on the connection of the projection's batch.
 */
final class Slugs {
    /** First key of the advisory locks that are held to the end of the transaction and serialise numbering. */
    private static final int LOCK = 0x534c_5547;

    /** Projects share this many locks: collisions are rare, and no transaction takes too many. */
    private static final int LOCKS = 512;

    private record Base(UUID host, UUID project, String words) {}

    private record Claim(Row.Session session, Base base, int n, String slug) {}

    private final Connection connection;

    Slugs(Connection connection) {
        this.connection = connection;
    }

    /** Sets the slug of each session that has none. */
    void assign(List<Row.Session> sessions) throws SQLException {
        var open = new ArrayList<>(
                sessions.stream().filter(session -> session.slug == null).toList());
        if (open.isEmpty()) {
            return;
        }
        reuse(open);
        if (!open.isEmpty()) {
            lock(open);
            reuse(open); // another instance with the same sessions may have held the lock
        }
        while (!open.isEmpty()) {
            claim(open);
        }
    }

    /** Takes the locks in order, so that instances do not deadlock. */
    private void lock(List<Row.Session> sessions) throws SQLException {
        Object[] numbers = sessions.stream()
                .map(session -> lock(session.projectId))
                .distinct()
                .sorted()
                .toArray();
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT pg_advisory_xact_lock(?, n) FROM unnest(?::int4[]) AS n")) {
            statement.setInt(1, LOCK);
            statement.setArray(2, connection.createArrayOf("int4", numbers));
            statement.execute();
        }
    }

    /** The lock number of a project. */
    static int lock(UUID project) {
        return Math.floorMod(project.hashCode(), LOCKS);
    }

    /** Sets stored slugs and removes their sessions from the list. */
    private void reuse(List<Row.Session> open) throws SQLException {
        var rows = new RowBatch("uuid uuid");
        open.forEach(session -> rows.add(session.hostId, session.sessionId));
        var slugs = new HashMap<SessionBatch.Id, String>();
        rows.query(
                connection,
                """
                SELECT host_id, session_id, slug FROM $rows AS i (host_id, session_id)
                JOIN sessions.session_slug_t USING (host_id, session_id)
                """,
                row -> slugs.put(
                        new SessionBatch.Id(row.getObject(1, UUID.class), row.getObject(2, UUID.class)),
                        row.getString(3)));
        open.removeIf(session -> {
            session.slug = slugs.get(new SessionBatch.Id(session.hostId, session.sessionId));
            return session.slug != null;
        });
    }

    /** One round; a slug that is already taken by a title ending in a number leaves its session for the next round. */
    private void claim(List<Row.Session> open) throws SQLException {
        var next = new HashMap<Base, Integer>();
        for (Row.Session session : open) {
            next.putIfAbsent(base(session), 0);
        }
        readLastNumbers(next);
        var claims = new ArrayList<Claim>();
        for (Row.Session session : open) {
            Base base = base(session);
            int n = next.merge(base, 1, Integer::sum);
            claims.add(new Claim(session, base, n, n == 1 ? base.words() : base.words() + "-" + n));
        }
        insert(claims);
        reuse(open);
        if (!open.isEmpty()) {
            reserve(claims.stream()
                    .filter(claim -> claim.session().slug == null)
                    .toList());
            reuse(open);
        }
    }

    private static Base base(Row.Session session) {
        return new Base(session.hostId, session.projectId, ColumnText.slug(session.slugFrom));
    }

    private void readLastNumbers(Map<Base, Integer> numbers) throws SQLException {
        var bases = new RowBatch("uuid uuid text");
        numbers.keySet().forEach(base -> bases.add(base.host(), base.project(), base.words()));
        bases.query(
                connection,
                """
                SELECT b.host_id, b.project_id, b.base,
                       (SELECT max(n) FROM sessions.session_slug_t s
                        WHERE s.host_id = b.host_id AND s.project_id = b.project_id AND s.base = b.base)
                FROM $rows AS b (host_id, project_id, base)
                """,
                row -> numbers.put(
                        new Base(row.getObject(1, UUID.class), row.getObject(2, UUID.class), row.getString(3)),
                        row.getInt(4)));
    }

    /** Finds the next free number where the slug is taken by other words: {@code fix-bug-2} may itself be a title. */
    private void reserve(List<Claim> refused) throws SQLException {
        for (Claim claim : refused) {
            int n = claim.n();
            while (claim.session().slug == null) {
                n++;
                var retry =
                        new Claim(claim.session(), claim.base(), n, claim.base().words() + "-" + n);
                if (insert(List.of(retry)) == 1) {
                    claim.session().slug = retry.slug();
                }
            }
        }
    }

    private int insert(List<Claim> claims) throws SQLException {
        var rows = new RowBatch("uuid uuid text text int4 uuid");
        for (Claim claim : claims) {
            Base base = claim.base();
            rows.add(base.host(), base.project(), claim.slug(), base.words(), claim.n(), claim.session().sessionId);
        }
        return rows.run(connection, """
                INSERT INTO sessions.session_slug_t (host_id, project_id, slug, base, n, session_id)
                SELECT * FROM $rows ON CONFLICT DO NOTHING
                """);
    }
}

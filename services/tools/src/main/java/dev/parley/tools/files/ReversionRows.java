package dev.parley.tools.files;

import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Transaction;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** The SQL of reversions, within a transaction that has locked the workspace. */
record ReversionRows(Transaction transaction, UUID host, UUID project) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String FIND =
            "SELECT result FROM tools.reversion_t WHERE host_id = ? AND project_id = ? AND reversion_id = ?";
    private static final String REVERTED = """
            SELECT 1 FROM tools.reversion_t
             WHERE host_id = ? AND project_id = ? AND undone_ts IS NULL AND turns && ARRAY[?::uuid, ?::uuid] LIMIT 1""";
    private static final String INSERT = """
            INSERT INTO tools.reversion_t
              (host_id, project_id, reversion_id, turns, files, from_versions, to_versions, result, update_user)
            VALUES (?, ?, ?, ?::uuid[], ?::uuid[], ?::int[], ?::int[], ?, ?)""";
    private static final String UNDO = """
            UPDATE tools.reversion_t SET undone_ts = clock_timestamp()
             WHERE host_id = ? AND project_id = ? AND reversion_id = ? AND undone_ts IS NULL
            RETURNING files, from_versions, to_versions""";

    /** A change of a file: its versions before and after. */
    record Change(UUID file, int from, int to) {}

    /** The result of a call that has run already. */
    Optional<Reversion> find(UUID call) {
        return transaction.query(
                FIND,
                Columns.first(row -> JSON.readValue(row.getString("result"), Reversion.class)),
                host,
                project,
                call);
    }

    /** Whether the changes of a call's turn are reverted. */
    boolean isReverted(Author.Call call) {
        return transaction.query(REVERTED, ResultSet::next, host, project, call.top(), call.turnId());
    }

    void save(UUID call, List<UUID> turns, List<Change> changes, Reversion result, Author author) {
        transaction.update(
                INSERT,
                host,
                project,
                call,
                Sql.texts(turns),
                Sql.texts(changes.stream().map(Change::file).toList()),
                Sql.texts(changes.stream().map(Change::from).toList()),
                Sql.texts(changes.stream().map(Change::to).toList()),
                JSON.writeValueAsString(result),
                author.name());
    }

    /** Undoes a reversion; returns its changes, none if it is unknown or already undone. */
    List<Change> undo(UUID reversion) {
        return transaction.query(UNDO, row -> row.next() ? changes(row) : List.of(), host, project, reversion);
    }

    private static List<Change> changes(ResultSet row) throws SQLException {
        Object[] files = array(row.getArray("files"));
        Object[] from = array(row.getArray("from_versions"));
        Object[] to = array(row.getArray("to_versions"));
        var changes = new ArrayList<Change>();
        for (int i = 0; i < files.length; i++) {
            changes.add(new Change((UUID) files[i], (Integer) from[i], (Integer) to[i]));
        }
        return changes;
    }

    private static Object[] array(Array array) throws SQLException {
        return Objects.requireNonNull((Object[]) array.getArray());
    }
}

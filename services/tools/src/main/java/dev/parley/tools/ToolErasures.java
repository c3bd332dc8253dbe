package dev.parley.tools;

import dev.parley.domain.erasure.ErasureRecord.SessionGone;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.erasure.ErasureFollower;
import java.util.OptionalLong;

/** Removes the data of erased sessions from the ledger. */
final class ToolErasures implements ErasureFollower.Removal<SessionGone> {
    private static final String REMEMBER = """
            INSERT INTO tools.erased_session_t (host_id, session_id)
            SELECT ?, unnest(?::uuid[]) ON CONFLICT DO NOTHING""";
    /** The rows are kept for a time, so that a redelivered call is not executed again. */
    private static final String ERASE = """
            UPDATE tools.tool_execution_t SET result = left(result, 0), files = NULL, session_key = '', decided_note = NULL
             WHERE host_id = ? AND session_id = ANY (?::uuid[])""";

    private final Database database;

    ToolErasures(Database database) {
        this.database = database;
    }

    @Override
    public OptionalLong of(SessionGone gone) {
        Object sessions = Sql.texts(gone.sessionIds());
        int rows = database.in(Tenant.of(gone.host()), transaction -> {
            transaction.update(REMEMBER, gone.host(), sessions);
            return transaction.update(ERASE, gone.host(), sessions);
        });
        return OptionalLong.of(rows);
    }
}

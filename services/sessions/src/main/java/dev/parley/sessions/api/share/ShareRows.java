package dev.parley.sessions.api.share;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Repository of {@code sessions.session_share_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ShareRows extends GenericRepository<ShareLink, UUID> {
    String COLUMNS = """
            share_id, host_id, project_id, project_key, session_id, user_id, token_prefix, token_hash, show_reasoning,
              show_tool_outputs, created_ts, expires_ts, update_user
            """;

    ShareLink save(ShareLink link);

    /** The active links of a session, the newest first. */
    @Query("SELECT " + COLUMNS + """
            FROM sessions.session_share_t
            WHERE session_id = :session AND active AND expires_ts > now() ORDER BY created_ts DESC, share_id
            """)
    List<ShareLink> ofSession(UUID session);

    /** The link with this secret prefix, of any host: the SQL function bypasses row security. */
    @Query("SELECT " + COLUMNS + "FROM sessions.share_of(:prefix)")
    Optional<ShareLink> byPrefix(String prefix);

    /** @return 1, or 0 where there is no such active link */
    @Query("""
            UPDATE sessions.session_share_t SET active = false, update_ts = now(), update_user = :revokedBy,
              aggregate_version = aggregate_version + 1
            WHERE session_id = :session AND share_id = :id AND active
            """)
    int revoke(UUID session, UUID id, String revokedBy);
}

package dev.parley.sessions.api;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.UUID;

/** Repository of {@code sessions.todo_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface TodoRows extends GenericRepository<TodoJson, Integer> {
    @Query("""
            SELECT position, content, active_form, status, update_ts FROM sessions.todo_t
            WHERE host_id = :host AND session_id = :session ORDER BY position
            """)
    List<TodoJson> findOf(UUID host, UUID session);
}

package dev.parley.memory.api;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.UUID;

/** Repository of {@code memory.agent_memory_directive_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface DirectiveRows extends GenericRepository<DirectiveJson, String> {
    /** All directives of a bank, by descending priority. */
    @Query("""
            SELECT name, content, priority, active, update_ts FROM memory.agent_memory_directive_t
            WHERE host_id = :host AND bank_id = :bank ORDER BY priority DESC, name
            """)
    List<DirectiveJson> findOf(UUID host, UUID bank);
}

package dev.parley.control.people;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Repository of {@code control.one_time_code_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface CodeRows extends GenericRepository<CodeRow, UUID> {
    @Query("""
            INSERT INTO control.one_time_code_t (code_hash, purpose, method, user_id, expires_ts)
            VALUES (:hash, :purpose, :method, :user, :expires)
            """)
    void insert(byte[] hash, String purpose, String method, UUID user, Instant expires);

    /** A valid code, locked until the transaction ends. */
    @Query("""
            SELECT user_id, method FROM control.one_time_code_t
            WHERE code_hash = :hash AND purpose IN (:purposes) AND expires_ts > now() FOR UPDATE
            """)
    Optional<CodeRow> locked(byte[] hash, List<String> purposes);

    @Query("DELETE FROM control.one_time_code_t WHERE code_hash = :hash")
    void delete(byte[] hash);

    @Query("DELETE FROM control.one_time_code_t WHERE expires_ts < now()")
    void deleteEnded();
}

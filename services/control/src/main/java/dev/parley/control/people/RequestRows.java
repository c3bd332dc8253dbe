package dev.parley.control.people;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code control.identity_request_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface RequestRows extends GenericRepository<RequestRow, String> {
    @Query("""
            INSERT INTO control.identity_request_t (state_hash, browser_hash, provider, nonce, verifier, redirect, user_id,
              expires_ts)
            VALUES (:state, :browser, :provider, :nonce, :verifier, :redirect, CAST(:user AS uuid), :expires)
            """)
    void insert(
            byte[] state,
            byte[] browser,
            String provider,
            String nonce,
            String verifier,
            @Nullable String redirect,
            @Nullable UUID user,
            Instant expires);

    /** A pending request, locked until the transaction ends. */
    @Query("""
            SELECT nonce, verifier, redirect, user_id FROM control.identity_request_t
            WHERE state_hash = :state AND browser_hash = :browser AND provider = :provider AND expires_ts > now() FOR UPDATE
            """)
    Optional<RequestRow> locked(byte[] state, byte[] browser, String provider);

    @Query("DELETE FROM control.identity_request_t WHERE state_hash = :state")
    void delete(byte[] state);

    @Query("DELETE FROM control.identity_request_t WHERE expires_ts < now()")
    void deleteEnded();
}

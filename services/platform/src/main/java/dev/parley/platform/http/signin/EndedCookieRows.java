package dev.parley.platform.http.signin;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;

/** Repository of {@code control.ended_cookie_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface EndedCookieRows extends GenericRepository<EndedCookieRows.Ended, byte[]> {
    /** A cookie that ended before its expiry, which is {@code untilTs}. */
    @MappedEntity(value = "ended_cookie_t", schema = "control")
    record Ended(@Id byte[] cookie, Instant untilTs) {}

    @Query("SELECT EXISTS (SELECT FROM control.ended_cookie_t WHERE cookie = :cookie)")
    boolean has(byte[] cookie);

    @Query("INSERT INTO control.ended_cookie_t (cookie, until_ts) VALUES (:cookie, :until) ON CONFLICT DO NOTHING")
    void insert(byte[] cookie, Instant until);

    @Query("DELETE FROM control.ended_cookie_t WHERE until_ts < now()")
    void deleteExpired();
}

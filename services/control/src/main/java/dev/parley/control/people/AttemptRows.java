package dev.parley.control.people;

import dev.parley.control.people.AttemptRows.Attempts;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.Optional;

/** Repository of {@code control.auth_attempt_t}; times are those of the database's clock. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface AttemptRows extends GenericRepository<Attempts, byte[]> {
    /** Counted attempts, and the end of their delay or hour. */
    @MappedEntity(value = "auth_attempt_t", schema = "control")
    record Attempts(@Id byte[] subject, int failures, Instant untilTs) {}

    @Query("DELETE FROM control.auth_attempt_t WHERE until_ts < now() - interval '2 hours'")
    void deleteEnded();

    @Query("""
            INSERT INTO control.auth_attempt_t (subject, failures, until_ts) VALUES (:subject, 0, now()) ON CONFLICT DO NOTHING
            """)
    void insert(byte[] subject);

    /** A counter, locked until the transaction ends. */
    @Query("SELECT subject, failures, until_ts FROM control.auth_attempt_t WHERE subject = :subject FOR UPDATE")
    Optional<Attempts> locked(byte[] subject);

    /** Counts a failure; each one after {@code free} doubles the delay, up to a minute. */
    @Query("""
            UPDATE control.auth_attempt_t a SET failures = n.failures,
              until_ts = clock_timestamp() + CASE WHEN n.failures < :free THEN interval '0'
                ELSE least(interval '1 second' * power(2, least(n.failures - :free, 20)), interval '1 minute') END
            FROM (SELECT subject, CASE WHEN until_ts < now() - interval '1 hour' THEN 1 ELSE failures + 1 END AS failures
                  FROM control.auth_attempt_t WHERE subject = :subject) AS n
            WHERE a.subject = n.subject
            """)
    void count(byte[] subject, int free);

    @Query("DELETE FROM control.auth_attempt_t WHERE subject = :subject")
    void delete(byte[] subject);

    @Query("UPDATE control.auth_attempt_t SET failures = failures - 1 WHERE subject = :subject AND failures > 0")
    void takeBack(byte[] subject);

    /** Counts a request within an hour. */
    @Query("""
            INSERT INTO control.auth_attempt_t AS a (subject, failures, until_ts) VALUES (:subject, 1, now() + interval '1 hour')
            ON CONFLICT (subject) DO UPDATE SET
              failures = CASE WHEN a.until_ts <= now() THEN 1 ELSE least(a.failures, 1000000) + 1 END,
              until_ts = CASE WHEN a.until_ts <= now() THEN now() + interval '1 hour' ELSE a.until_ts END
            RETURNING subject, failures, until_ts
            """)
    Attempts countRequest(byte[] subject);
}

package dev.parley.control.people;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Repository of accounts that may sign in: a person with the first of their hosts. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface SignInAccountRows extends GenericRepository<SignInAccount, UUID> {
    String SELECT = """
            SELECT u.user_id, h.host_id, u.password_hash, u.active AND h.active AND t.active AS active
            FROM control.user_t u JOIN control.user_host_t h USING (user_id) JOIN control.host_t t USING (host_id)
            """;
    String FIRST = " ORDER BY h.active DESC, h.joined_ts LIMIT 1";

    /** @param name username or proved e-mail address */
    @Query(SELECT + """
            WHERE u.username_key = lower(:name) OR u.email_key = lower(:name) AND u.email_proved_ts IS NOT NULL
            """ + FIRST)
    Optional<SignInAccount> findByLogin(String name);

    /** The oldest accounts with an e-mail address that nobody has proved. */
    @Query("""
            SELECT user_id, host_id, password_hash, active FROM (
              SELECT DISTINCT ON (u.user_id) u.user_id, h.host_id, u.password_hash,
                u.active AND h.active AND t.active AS active, u.created_ts
              FROM control.user_t u JOIN control.user_host_t h USING (user_id) JOIN control.host_t t USING (host_id)
              WHERE u.email_key = lower(:email)
              ORDER BY u.user_id, h.active DESC, h.joined_ts) AS a
            ORDER BY created_ts LIMIT :limit
            """)
    List<SignInAccount> findByEnteredEmail(String email, int limit);

    @Query(SELECT + "WHERE u.user_id = :user" + FIRST)
    Optional<SignInAccount> findByUser(UUID user);

    @Query(SELECT + """
            WHERE u.user_id = (
              SELECT i.user_id FROM control.auth_identity_t i WHERE i.provider = :provider AND i.subject = :subject)
            """ + FIRST)
    Optional<SignInAccount> findByIdentity(String provider, String subject);
}

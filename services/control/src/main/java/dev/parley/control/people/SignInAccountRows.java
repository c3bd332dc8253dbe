package dev.parley.control.people;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
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

    /** @param name username or e-mail address */
    @Query(SELECT + "WHERE u.username_key = lower(:name) OR u.email_key = lower(:name)" + FIRST)
    Optional<SignInAccount> findByLogin(String name);

    @Query(SELECT + "WHERE u.user_id = :user" + FIRST)
    Optional<SignInAccount> findByUser(UUID user);

    @Query(SELECT + """
            WHERE u.user_id = (
              SELECT i.user_id FROM control.auth_identity_t i WHERE i.provider = :provider AND i.subject = :subject)
            """ + FIRST)
    Optional<SignInAccount> findByIdentity(String provider, String subject);
}

package dev.parley.platform.bearer;

import dev.parley.platform.bearer.LinkedPeople.Found;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;
import java.util.UUID;

/** Repository of {@code control.user_host_t} by the identities in {@code control.auth_identity_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface LinkedIdentityRows extends GenericRepository<Found, UUID> {
    /** The user linked with an identity, in the first of their hosts. */
    @Query("""
            SELECT h.host_id, h.user_id
            FROM control.auth_identity_t i JOIN control.user_host_t h USING (user_id)
            WHERE i.provider = :provider AND i.subject = :subject
            ORDER BY h.active DESC, h.joined_ts LIMIT 1
            """)
    Optional<Found> findLinked(String provider, String subject);
}

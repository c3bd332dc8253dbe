package dev.parley.control.people;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Repository of {@code control.auth_identity_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface IdentityRows extends GenericRepository<LinkedIdentity, String> {
    List<LinkedIdentity> findByUserIdOrderByProvider(UUID user);

    List<LinkedIdentity> findByUserIdAndProvider(UUID user, String provider);

    @Query("INSERT INTO control.auth_identity_t (provider, subject, user_id) VALUES (:provider, :subject, :user)")
    void add(String provider, String subject, UUID user);

    int deleteByUserIdAndProvider(UUID user, String provider);

    /** The first host of a person. */
    @Query("SELECT host_id FROM control.user_host_t WHERE user_id = :user AND active ORDER BY joined_ts LIMIT 1")
    Optional<UUID> host(UUID user);

    /** Whether the person has a password or an external identity. */
    @Query("""
            SELECT password_hash IS NOT NULL
              OR EXISTS (SELECT FROM control.auth_identity_t i WHERE i.user_id = u.user_id)
            FROM control.user_t u WHERE u.user_id = :user
            """)
    boolean hasSignInMethod(UUID user);
}

package dev.parley.platform.bearer;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.util.Optional;
import java.util.UUID;

/** Maps identities of external issuers to the people linked with them. */
@FunctionalInterface
interface LinkedPeople {
    /** A user in the first of their hosts. */
    @MappedEntity(value = "user_host_t", schema = "control")
    record Found(
            @MappedProperty("host_id") UUID host,
            @Id @MappedProperty("user_id") UUID user) {}

    /**
     * The user who is linked with an identity.
     *
     * @throws IllegalStateException if they cannot be looked up now
     */
    Optional<Found> find(String provider, String subject);
}

package dev.parley.platform.bearer;

import java.util.Optional;
import java.util.UUID;

/** Maps identities of external issuers to the people linked with them. */
@FunctionalInterface
interface LinkedPeople {
    /** A user in the first of their hosts. */
    record Found(UUID host, UUID user) {}

    /**
     * The user who is linked with an identity.
     *
     * @throws IllegalStateException if they cannot be looked up now
     */
    Optional<Found> find(String provider, String subject);
}

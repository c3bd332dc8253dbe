package dev.parley.platform.bearer;

import java.util.Optional;
import java.util.UUID;

/** Maps identities of external issuers to the people linked with them. */
@FunctionalInterface
interface LinkedPeople {
    /** Somebody, in the first host that they are in. */
    record Found(UUID host, UUID user) {}

    /**
     * Who that is.
     *
     * @throws IllegalStateException where nobody can say so now
     */
    Optional<Found> find(String provider, String subject);
}

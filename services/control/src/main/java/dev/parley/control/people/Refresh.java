package dev.parley.control.people;

import io.micronaut.core.annotation.Introspected;
import java.util.UUID;

/**
 * A sign-in whose refresh token was shown.
 *
 * @param first whether the token was not used before
 * @param again whether it was used a moment ago, as by a second tab of a browser
 */
@Introspected
record Refresh(
        UUID hostId,
        UUID authSessionId,
        UUID userId,
        String tokenPrefix,
        long aggregateVersion,
        boolean first,
        boolean again) {}

package dev.parley.control.people;

import io.micronaut.core.annotation.Introspected;
import java.util.UUID;

/**
 * A sign-in for which a refresh token was presented.
 *
 * @param first whether the token is unused
 * @param again whether it was used within the last seconds, for example by another browser tab
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

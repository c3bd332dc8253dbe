package dev.parley.agents.budget;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A model call that is to be made.
 *
 * @param user the account for which it is made, or null
 */
public record Call(
        UUID host, UUID project, @Nullable UUID user, UUID callId, int attempt, String provider, String model) {}

package dev.parley.agents.budget;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A model call that asks for admission.
 *
 * @param user the account that the call is charged to, or null
 */
public record Call(
        UUID host, UUID project, @Nullable UUID user, UUID callId, int attempt, String provider, String model) {}

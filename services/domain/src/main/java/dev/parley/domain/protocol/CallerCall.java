package dev.parley.domain.protocol;

import java.time.Instant;
import java.util.UUID;

/**
 * A tool call that the caller of its turn carries out.
 *
 * @param step number of the model call that made it
 * @param toolCallId the model's own id for it, unique in its step
 * @param arguments as the model wrote them, which need not fit the tool's schema
 * @param expiresAt when the turn goes on without a result
 */
public record CallerCall(
        UUID turnId, UUID callId, int step, String toolCallId, String name, String arguments, Instant expiresAt) {}

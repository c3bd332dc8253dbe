package dev.parley.domain.protocol;

import java.time.Instant;
import java.util.UUID;

/**
 * A question that waits for a person: whether a tool call may be carried out.
 *
 * @param step number of the model call that made the tool call
 * @param toolCallId the model's own id for it, unique in its step
 * @param text what the person is asked
 * @param expiresAt when the call is refused without an answer
 */
public record PendingApproval(
        UUID turnId, UUID approvalId, int step, String toolCallId, String tool, String text, Instant expiresAt) {}

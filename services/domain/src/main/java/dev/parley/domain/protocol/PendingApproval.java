package dev.parley.domain.protocol;

import java.time.Instant;
import java.util.UUID;

/**
 * A tool call that waits for a person's approval.
 *
 * @param step number of the model call that made the tool call
 * @param toolCallId the model's own id of the call, unique in its step
 * @param text the approval request as shown to the person
 * @param expiresAt when the call is denied without an answer
 */
public record PendingApproval(
        UUID turnId, UUID approvalId, int step, String toolCallId, String tool, String text, Instant expiresAt) {}

package dev.parley.client;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A turn of a session: what somebody said, and what became of it.
 *
 * @param session the key of its session
 * @param seq its number in the session, from 1; null while it is not known
 * @param state {@code QUEUED}, {@code RUNNING_MODEL}, {@code WAITING_TOOL}, {@code WAITING_APPROVAL},
 *     {@code WAITING_CHILD}, {@code COMPLETED}, {@code FAILED} or {@code CANCELLED}
 * @param reply the final reply; null or empty until there is one
 * @param error why it failed or was cancelled, or null
 * @param model {@code provider/model} of its last step; null before one
 * @param completedAt when it ended; null before
 */
public record Turn(
        UUID id,
        String session,
        @Nullable Long seq,
        String state,
        String text,
        @Nullable String reply,
        @Nullable Failure error,
        @Nullable String model,
        @Nullable Usage usage,
        @Nullable Instant createdAt,
        @Nullable Instant completedAt) {

    /** Whether it has ended, in whichever way. */
    public boolean ended() {
        return completedAt != null;
    }

    /** Why a turn has no reply. */
    public record Failure(String type, String message) {}

    /**
     * Tokens and money that it took.
     *
     * @param cost in dollars; null where it is not known
     */
    public record Usage(
            long input,
            long output,
            long reasoning,
            long cacheRead,
            long cacheWrite,
            @Nullable Double cost) {}
}

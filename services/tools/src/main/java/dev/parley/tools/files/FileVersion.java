package dev.parley.tools.files;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A version of a file.
 *
 * @param metadata the metadata; kept from the previous version unless it is given
 * @param sha256 SHA-256 of the content; null for a deletion
 * @param byAgent whether the author is an agent, as opposed to a user
 * @param author the agent's name, or the user's id
 * @param sessionId the session of an agent; likewise turn, step and call
 */
public record FileVersion(
        UUID file,
        String path,
        int version,
        String mime,
        FileMetadata metadata,
        long size,
        @Nullable String sha256,
        boolean byAgent,
        String author,
        @Nullable UUID sessionId,
        @Nullable UUID turnId,
        @Nullable Integer step,
        @Nullable UUID callId,
        Instant at) {
    /** Whether this version is the deletion of the file. */
    public boolean deletes() {
        return sha256 == null;
    }
}

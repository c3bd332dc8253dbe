package dev.parley.tools.files;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What somebody made of a file.
 *
 * @param metadata that of the version before, unless something else was said
 * @param sha256 of the bytes; null where it was deleted
 * @param byAgent whether the author is an agent; otherwise a person
 * @param author the agent's name, or the person's id
 * @param sessionId of an agent: the session, and so on, that it did it in
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
    /** Whether this is the file's deletion. */
    public boolean deletes() {
        return sha256 == null;
    }
}

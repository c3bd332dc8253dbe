package dev.parley.tools.files;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a workspace was at a moment.
 *
 * @param hash SHA-256 over a line "path sha256" for each file, ordered by path; metadata is not in it
 * @param reason {@code step}: before a step of a turn wrote; {@code restore}: before something was restored; {@code user}
 * @param by an agent's name, or a person's id
 */
public record Snapshot(
        UUID id,
        String hash,
        int files,
        String reason,
        @Nullable UUID sessionId,
        @Nullable UUID turnId,
        @Nullable Integer step,
        Instant at,
        String by) {
    /** One of its files: which version of it was there. */
    public record Entry(UUID file, String path, int version, FileMetadata metadata, String sha256, long size) {
        /** Whether a file is what it was. */
        boolean isOf(FileInfo file) {
            return file.sha256().equals(sha256) && file.metadata().equals(metadata);
        }
    }

    /**
     * What became of a restoration.
     *
     * @param before what the workspace was before it: restore that, and nothing has happened
     * @param changed files that had something else in them, or were not there
     * @param deleted files that had come since
     */
    public record Restored(Snapshot before, String hash, int changed, int deleted) {}
}

package dev.parley.tools.files;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a workspace.
 *
 * @param hash SHA-256 of a line "path sha256" per file, ordered by path.
 * @param files Number of files.
 * @param reason Reason: step (before the first change of a step), restore (before a restoration) or user (requested by
 *     a user).
 * @param sessionId Session of the step; null for other reasons. The same applies to turnId and step.
 * @param createdBy Name of the agent, or id of the user.
 */
@Serdeable
@Schema(name = "WorkspaceSnapshot", description = "A snapshot of a workspace.")
record SnapshotJson(
        UUID id,
        String hash,
        int files,
        String reason,
        @Nullable UUID sessionId,
        @Nullable UUID turnId,
        @Nullable Integer step,
        Instant createdAt,
        String createdBy) {
    static SnapshotJson of(WorkspaceSnapshot snapshot) {
        return new SnapshotJson(
                snapshot.id(),
                snapshot.hash(),
                snapshot.files(),
                snapshot.reason(),
                snapshot.sessionId(),
                snapshot.turnId(),
                snapshot.step(),
                snapshot.at(),
                snapshot.by());
    }

    /** A file of a snapshot. */
    @Serdeable
    @Schema(name = "WorkspaceSnapshotFile")
    record EntryJson(UUID file, String path, int version, String sha256, long size) {
        static EntryJson of(WorkspaceSnapshot.Entry entry) {
            return new EntryJson(entry.file(), entry.path(), entry.version(), entry.sha256(), entry.size());
        }
    }

    /**
     * Result of a restoration.
     *
     * @param hash Hash of the current files.
     * @param changed Number of restored files, which were changed or missing.
     * @param deleted Number of deleted files, which were created after the snapshot.
     */
    @Serdeable
    @Schema(name = "WorkspaceRestored")
    record RestoredJson(
            @Schema(description = "Snapshot before the restoration; restoring it undoes the restoration.")
            SnapshotJson before,

            String hash,
            int changed,
            int deleted) {
        static RestoredJson of(WorkspaceSnapshot.Restored restored) {
            return new RestoredJson(
                    SnapshotJson.of(restored.before()), restored.hash(), restored.changed(), restored.deleted());
        }
    }
}

package dev.parley.tools.files;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Serdeable
@Schema(name = "WorkspaceSnapshot", description = "A snapshot of a workspace.")
record SnapshotJson(
        UUID id,

        @Schema(description = "SHA-256 of a line \"path sha256\" per file, ordered by path.")
        String hash,

        @Schema(description = "Number of files.") int files,

        @Schema(
                description = "Reason: step (before the first change of a step), restore (before a restoration) or "
                        + "user (requested by a user).")
        String reason,

        @Schema(description = "Session of the step; null for other reasons. The same applies to turnId and step.")
        @Nullable
        UUID sessionId,

        @Nullable UUID turnId,
        @Nullable Integer step,
        Instant createdAt,

        @Schema(description = "Name of the agent, or id of the user.")
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

    /** The JSON of a file of a snapshot. */
    @Serdeable
    @Schema(name = "WorkspaceSnapshotFile", description = "A file of a snapshot.")
    record EntryJson(UUID file, String path, int version, String sha256, long size) {
        static EntryJson of(WorkspaceSnapshot.Entry entry) {
            return new EntryJson(entry.file(), entry.path(), entry.version(), entry.sha256(), entry.size());
        }
    }

    /** The JSON of a restoration. */
    @Serdeable
    @Schema(name = "WorkspaceRestored", description = "Result of a restoration.")
    record RestoredJson(
            @Schema(description = "Snapshot before the restoration; restoring it undoes the restoration.")
            SnapshotJson before,

            @Schema(description = "Hash of the current files.")
            String hash,

            @Schema(description = "Number of restored files, which were changed or missing.")
            int changed,

            @Schema(description = "Number of deleted files, which were created after the snapshot.")
            int deleted) {
        static RestoredJson of(WorkspaceSnapshot.Restored restored) {
            return new RestoredJson(
                    SnapshotJson.of(restored.before()), restored.hash(), restored.changed(), restored.deleted());
        }
    }
}

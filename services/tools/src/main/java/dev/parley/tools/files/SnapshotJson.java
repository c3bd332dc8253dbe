package dev.parley.tools.files;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A snapshot as clients see it. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "WorkspaceSnapshot", description = "What a workspace was at a moment.")
record SnapshotJson(
        UUID id,

        @Schema(description = "SHA-256 over a line \"path sha256\" for each file, ordered by path.")
        String hash,

        @Schema(description = "How many.") int files,

        @Schema(
                description =
                        "step: before a step of a turn wrote; restore: before something was restored; user: somebody wanted it.")
        String reason,

        @Schema(description = "Of a step: in which session and turn, and which one.") @Nullable
        UUID sessionId,

        @Nullable UUID turnId,
        @Nullable Integer step,
        Instant createdAt,

        @Schema(description = "An agent's name, or a person's id.")
        String createdBy) {
    static SnapshotJson of(Snapshot snapshot) {
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

    /** One of its files. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "WorkspaceSnapshotFile", description = "A file of a snapshot.")
    record EntryJson(UUID file, String path, int version, String sha256, long size) {
        static EntryJson of(Snapshot.Entry entry) {
            return new EntryJson(entry.file(), entry.path(), entry.version(), entry.sha256(), entry.size());
        }
    }

    /** What became of a restoration. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "WorkspaceRestored", description = "What became of a restoration.")
    record RestoredJson(
            @Schema(description = "What was there before: restore this one, and nothing has happened.")
            SnapshotJson before,

            @Schema(description = "Of what is there now.") String hash,

            @Schema(description = "Files that had another content, or were not there.")
            int changed,

            @Schema(description = "Files that had come since.")
            int deleted) {
        static RestoredJson of(Snapshot.Restored restored) {
            return new RestoredJson(
                    SnapshotJson.of(restored.before()), restored.hash(), restored.changed(), restored.deleted());
        }
    }
}

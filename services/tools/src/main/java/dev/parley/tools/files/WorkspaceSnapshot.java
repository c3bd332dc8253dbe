package dev.parley.tools.files;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.data.model.DataType;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a workspace.
 *
 * @param hash SHA-256 over a line "path sha256" per file, ordered by path; without metadata
 * @param reason {@code step}: before the first change of a step; {@code restore}: before a restoration; {@code user}:
 *     requested by a user
 * @param by an agent's name, or a user's id
 */
@MappedEntity(value = "snapshot_t", schema = "tools")
public record WorkspaceSnapshot(
        @Id UUID id,
        String hash,
        int files,
        String reason,
        @Nullable UUID sessionId,
        @Nullable UUID turnId,
        @Nullable Integer step,
        Instant at,
        String by) {
    /** A file of the snapshot, with its version. */
    @MappedEntity(value = "snapshot_file_t", schema = "tools")
    public record Entry(
            @Id UUID file,
            String path,
            int version,

            @MappedProperty(type = DataType.STRING, converter = FileMetadata.Column.class)
            FileMetadata metadata,

            String sha256,
            long size) {
        /** Whether a file is unchanged. */
        boolean isOf(FileInfo file) {
            return file.sha256().equals(sha256) && file.metadata().equals(metadata);
        }
    }

    /**
     * The result of a restoration.
     *
     * @param before the snapshot before the restoration; restoring it undoes the restoration
     * @param changed the number of files that were changed or missing
     * @param deleted the number of files that were created since
     */
    public record Restored(WorkspaceSnapshot before, String hash, int changed, int deleted) {}
}

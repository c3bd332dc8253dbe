package dev.parley.tools.files;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A file of a project's workspace, without its content.
 *
 * @param id Id of the file; successive files of the same path have different ids.
 * @param path Path from the root, such as /notes/today.md.
 * @param metadata Metadata: texts, numbers and booleans by name.
 * @param text True if the content is text: in UTF-8, UTF-16 with a byte order mark, or windows-1252.
 * @param size Size in bytes.
 * @param sha256 SHA-256 of the content, in lower-case hex.
 * @param version Number of the newest version; the ETag is this number in quotes.
 * @param deletedAt Time of deletion; null if the file is not deleted.
 */
@Serdeable
@Schema(name = "WorkspaceFile")
record FileJson(
        UUID id,
        String path,
        String mimeType,
        Map<String, Object> metadata,
        boolean text,
        long size,
        String sha256,
        int version,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant deletedAt) {
    static FileJson of(FileInfo file) {
        return new FileJson(
                file.id(),
                file.path(),
                file.mime(),
                file.metadata().values(),
                file.text(),
                file.size(),
                file.sha256(),
                file.version(),
                file.createdAt(),
                file.updatedAt(),
                file.deletedAt());
    }

    /**
     * A version of a file.
     *
     * @param metadata Metadata; that of the previous version unless given.
     * @param deleted True if this version is the deletion of the file.
     * @param size Size in bytes.
     * @param sha256 SHA-256 of the content; null for a deletion.
     * @param authorKind Kind of author: agent or user.
     * @param author Name of the agent, or id of the user.
     * @param sessionId Session of the change by an agent; null for a user. The same applies to turnId, step and callId.
     */
    @Serdeable
    @Schema(name = "WorkspaceFileVersion")
    record VersionJson(
            UUID file,
            String path,
            int version,
            String mimeType,
            Map<String, Object> metadata,
            boolean deleted,
            long size,
            @Nullable String sha256,
            String authorKind,
            String author,
            @Nullable UUID sessionId,
            @Nullable UUID turnId,
            @Nullable Integer step,
            @Nullable UUID callId,
            Instant createdAt) {
        static VersionJson of(FileVersion version) {
            return new VersionJson(
                    version.file(),
                    version.path(),
                    version.version(),
                    version.mime(),
                    version.metadata().values(),
                    version.deletes(),
                    version.size(),
                    version.sha256(),
                    version.byAgent() ? "agent" : "user",
                    version.author(),
                    version.sessionId(),
                    version.turnId(),
                    version.step(),
                    version.callId(),
                    version.at());
        }
    }

    /**
     * New metadata of a file.
     *
     * @param metadata Complete metadata: at most 32 texts, numbers and booleans with names of at most 64 characters; at
     *     most 4,096 characters of JSON.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "DescribeFile")
    record DescribeJson(@Nullable Map<String, @Nullable Object> metadata) {}

    /**
     * Version of a file to restore.
     *
     * @param version Number of the version, from 1.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "RevertFile")
    record RevertJson(@Nullable String path, @Nullable Integer version) {}

    /**
     * Change of a file by a step of a turn.
     *
     * @param fromVersion Version before the change; 0 for a new file.
     * @param toVersion Version after the change.
     * @param before SHA-256 before the change; null for a new file.
     * @param after SHA-256 after the change; null if the file was deleted.
     */
    @Serdeable
    @Schema(name = "WorkspaceChange")
    record ChangeJson(
            int step,
            UUID file,
            String path,
            int fromVersion,
            int toVersion,
            @Nullable String before,
            @Nullable String after) {
        static ChangeJson of(FileChange change) {
            return new ChangeJson(
                    change.step(),
                    change.file(),
                    change.path(),
                    change.from(),
                    change.to(),
                    change.before(),
                    change.after());
        }
    }
}

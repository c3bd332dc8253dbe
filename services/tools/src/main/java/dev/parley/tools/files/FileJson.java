package dev.parley.tools.files;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Serdeable
@Schema(name = "WorkspaceFile", description = "A file of a project's workspace, without its content.")
record FileJson(
        @Schema(description = "Id of the file; successive files of the same path have different ids.")
        UUID id,

        @Schema(description = "Path from the root, such as /notes/today.md.")
        String path,

        String mimeType,

        @Schema(description = "Metadata: texts, numbers and booleans by name.")
        Map<String, Object> metadata,

        @Schema(description = "True if the content is text: in UTF-8, UTF-16 with a byte order mark, or windows-1252.")
        boolean text,

        @Schema(description = "Size in bytes.") long size,

        @Schema(description = "SHA-256 of the content, in lower-case hex.")
        String sha256,

        @Schema(description = "Number of the newest version; the ETag is this number in quotes.")
        int version,

        Instant createdAt,
        Instant updatedAt,

        @Schema(description = "Time of deletion; null if the file is not deleted.") @Nullable
        Instant deletedAt) {
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

    @Serdeable
    @Schema(name = "WorkspaceFileVersion", description = "A version of a file.")
    record VersionJson(
            UUID file,
            String path,
            int version,
            String mimeType,

            @Schema(description = "Metadata; that of the previous version unless given.")
            Map<String, Object> metadata,

            @Schema(description = "True if this version is the deletion of the file.")
            boolean deleted,

            @Schema(description = "Size in bytes.") long size,

            @Schema(description = "SHA-256 of the content; null for a deletion.") @Nullable
            String sha256,

            @Schema(description = "Kind of author: agent or user.")
            String authorKind,

            @Schema(description = "Name of the agent, or id of the user.")
            String author,

            @Schema(
                    description = "Session of the change by an agent; null for a user. The same applies to turnId, "
                            + "step and callId.")
            @Nullable
            UUID sessionId,

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

    /** The request to change the metadata of a file. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "DescribeFile", description = "New metadata of a file.")
    record DescribeJson(
            @Schema(
                    description = "Complete metadata: at most 32 texts, numbers and booleans with names of at most 64 "
                            + "characters; at most 4,096 characters of JSON.")
            @Nullable
            Map<String, @Nullable Object> metadata) {}

    /** The request to restore a version. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "RevertFile", description = "Version of a file to restore.")
    record RevertJson(
            @Nullable String path,

            @Schema(description = "Number of the version, from 1.") @Nullable
            Integer version) {}

    @Serdeable
    @Schema(name = "WorkspaceChange", description = "Change of a file by a step of a turn.")
    record ChangeJson(
            int step,
            UUID file,
            String path,

            @Schema(description = "Version before the change; 0 for a new file.")
            int fromVersion,

            @Schema(description = "Version after the change.")
            int toVersion,

            @Schema(description = "SHA-256 before the change; null for a new file.") @Nullable
            String before,

            @Schema(description = "SHA-256 after the change; null if the file was deleted.") @Nullable
            String after) {
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

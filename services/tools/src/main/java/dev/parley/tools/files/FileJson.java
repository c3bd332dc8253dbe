package dev.parley.tools.files;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A file as clients see it. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "WorkspaceFile", description = "A file of a project's workspace, without its content.")
record FileJson(
        @Schema(description = "Another one for each file that had this path.")
        UUID id,

        @Schema(description = "From the root, such as /notes/today.md.")
        String path,

        String mimeType,

        @Schema(description = "What was noted of it: texts, numbers and booleans.")
        Map<String, Object> metadata,

        @Schema(description = "Whether it is a text: UTF-8 without NUL.")
        boolean text,

        @Schema(description = "Bytes.") long size,

        @Schema(description = "Of the bytes, in lower-case hex.")
        String sha256,

        @Schema(description = "The newest version; its entity tag is this number in quotes.")
        int version,

        Instant createdAt,
        Instant updatedAt,

        @Schema(description = "When it was deleted, or null.") @Nullable
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

    /** A version. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "WorkspaceFileVersion", description = "What somebody made of a file.")
    record VersionJson(
            UUID file,
            String path,
            int version,
            String mimeType,

            @Schema(description = "What was noted of it; that of the version before, unless something else was said.")
            Map<String, Object> metadata,

            @Schema(description = "Whether this is the file's deletion.")
            boolean deleted,

            @Schema(description = "Bytes.") long size,

            @Schema(description = "Of the bytes; null where the file was deleted.") @Nullable
            String sha256,

            @Schema(description = "agent or user.") String authorKind,

            @Schema(description = "The agent's name, or the person's id.")
            String author,

            @Schema(description = "Of an agent: in which session, turn, step and tool call.") @Nullable
            UUID sessionId,

            @Nullable UUID turnId,
            @Nullable Integer step,
            @Nullable UUID callId,
            Instant createdAt) {
        static VersionJson of(FileVersion made) {
            return new VersionJson(
                    made.file(),
                    made.path(),
                    made.version(),
                    made.mime(),
                    made.metadata().values(),
                    made.deletes(),
                    made.size(),
                    made.sha256(),
                    made.byAgent() ? "agent" : "user",
                    made.author(),
                    made.sessionId(),
                    made.turnId(),
                    made.step(),
                    made.callId(),
                    made.at());
        }
    }

    /** What is noted of a file from now on. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "DescribeFile", description = "What is noted of a file from now on.")
    record DescribeJson(
            @Schema(
                    description =
                            "All of it: at most 32 texts, numbers and booleans by names of at most 64 characters; 4,096 characters of JSON.")
            @Nullable
            Map<String, @Nullable Object> metadata) {}

    /** Which version is to be there again. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "RevertFile", description = "Which version of a file is to be there again.")
    record RevertJson(
            @Nullable String path,

            @Schema(description = "1 for the first.") @Nullable
            Integer version) {}

    /** What a step made of a file. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "WorkspaceChange", description = "What a step of a turn made of a file.")
    record ChangeJson(
            int step,
            UUID file,
            String path,

            @Schema(description = "Version before; 0 where there was none.")
            int fromVersion,

            @Schema(description = "Version after.") int toVersion,

            @Schema(description = "SHA-256 before; null where there was no file.") @Nullable
            String before,

            @Schema(description = "SHA-256 after; null where it was deleted.") @Nullable
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

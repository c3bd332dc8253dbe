package dev.parley.sessions.archive;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An export or an import, as far as it is.
 *
 * @param instance the process that works on it
 * @param size bytes of the archive, as far as it is there
 * @param code a word for programs where it failed
 * @param detail why it failed
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "ArchiveJob", description = "An export or an import, as far as it is.")
record Job(
        UUID id,
        @Nullable String project,

        @Schema(description = "uploading, running, done or failed.")
        String state,

        @Nullable String instance,
        long size,
        @Nullable String sha256,
        long events,
        @Nullable Summary archive,

        @Schema(description = "Usernames of members whom nobody has here.") @Nullable
        List<String> unknown,

        @Schema(description = "What was left out of an import, and why: definitions, files and banks.") @Nullable
        List<String> left,

        @Schema(description = "Some of the sessions that were not taken, and why.") @Nullable
        List<String> refused,

        @Nullable String code,
        @Nullable String detail) {
    static final String UPLOADING = "uploading";
    static final String RUNNING = "running";
    static final String DONE = "done";
    static final String FAILED = "failed";

    static Job began(UUID id, @Nullable String project, String state, String instance) {
        return new Job(id, project, state, instance, 0, null, 0, null, null, null, null, null, null);
    }

    Job uploaded(long bytes) {
        return new Job(id, project, UPLOADING, instance, bytes, null, 0, null, null, null, null, null, null);
    }

    Job running(String to, String on) {
        return new Job(id, to, RUNNING, on, size, null, 0, null, null, null, null, null, null);
    }

    Job sent(long count) {
        return new Job(
                id, project, state, instance, size, sha256, count, archive, unknown, left, refused, code, detail);
    }

    Job exported(Summary what, long bytes, String digest) {
        return new Job(id, project, DONE, instance, bytes, digest, what.events(), what, null, null, null, null, null);
    }

    Job imported(Import.Result result) {
        boolean whole = result.refused().isEmpty();
        return new Job(
                id,
                project,
                whole ? DONE : FAILED,
                instance,
                size,
                null,
                result.archive().events(),
                result.archive(),
                result.unknown(),
                result.left(),
                whole ? null : result.refused(),
                whole ? null : "sessions_refused",
                whole ? null : "Some sessions were not taken; all others are there.");
    }

    Job failed(String word, String why) {
        return new Job(id, project, FAILED, instance, size, null, events, null, null, null, null, word, why);
    }
}

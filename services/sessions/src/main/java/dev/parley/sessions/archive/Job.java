package dev.parley.sessions.archive;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An export or import and its progress.
 *
 * @param state State of the job: uploading, running, done or failed.
 * @param instance the process that runs it
 * @param size bytes of the archive so far
 * @param unknown Usernames of members that do not exist here.
 * @param left Definitions, files and banks that an import omitted, with the reasons.
 * @param refused Some of the refused sessions, with the reasons.
 * @param code error code of the failure, for programs
 * @param detail reason for the failure
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
@Schema(name = "ArchiveJob")
record Job(
        UUID id,
        @Nullable String project,
        String state,
        @Nullable String instance,
        long size,
        @Nullable String sha256,
        long events,
        @Nullable Summary archive,
        @Nullable List<String> unknown,
        @Nullable List<String> left,
        @Nullable List<String> refused,
        @Nullable String code,
        @Nullable String detail)
        implements JobBuilder.With {
    static final String UPLOADING = "uploading";
    static final String RUNNING = "running";
    static final String DONE = "done";
    static final String FAILED = "failed";

    static Job began(UUID id, @Nullable String project, String state, String instance) {
        return new Job(id, project, state, instance, 0, null, 0, null, null, null, null, null, null);
    }

    Job running(String project, String instance) {
        return JobBuilder.builder(this)
                .project(project)
                .state(RUNNING)
                .instance(instance)
                .build();
    }

    Job completeExport(Summary summary, long bytes, String digest) {
        return JobBuilder.builder(this)
                .state(DONE)
                .size(bytes)
                .sha256(digest)
                .events(summary.events())
                .archive(summary)
                .build();
    }

    Job completeImport(Import.Result result) {
        JobBuilder end = JobBuilder.builder(this)
                .state(DONE)
                .events(result.archive().events())
                .archive(result.archive())
                .unknown(result.unknown())
                .left(result.left());
        if (!result.refused().isEmpty()) {
            end.state(FAILED)
                    .refused(result.refused())
                    .code("sessions_refused")
                    .detail("Some sessions were refused; all others were imported.");
        }
        return end.build();
    }

    Job fail(String code, String reason) {
        return JobBuilder.builder(this).state(FAILED).code(code).detail(reason).build();
    }
}

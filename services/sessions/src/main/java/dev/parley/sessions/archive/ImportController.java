package dev.parley.sessions.archive;

import dev.parley.domain.RecordKey;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Imports of projects: upload in parts, start, status. For administrators. */
@Controller("/v1/projects/imports")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Archives", description = "Export a project as a file, and import one.")
class ImportController {
    /** Maximum size of an archive in bytes: 64 GiB. */
    private static final long MAX_BYTES = 64L << 30;

    private final Jobs jobs;

    ImportController(Jobs jobs) {
        this.jobs = jobs;
    }

    @Post
    @Operation(
            summary = "Create an import",
            description = "Only for administrators. The archive is uploaded in parts of at most 16 MiB; then "
                    + "the import is started.")
    @ApiResponse(responseCode = "201", description = "The import, to which the parts are sent.")
    HttpResponse<Job> begin(Caller caller) throws IOException {
        Job job = Job.began(UUID.randomUUID(), null, Job.UPLOADING, "");
        JobFolder folder = jobs.imports(caller.host());
        folder.save(job);
        Files.createFile(folder.archive(job.id()));
        return HttpResponse.created(job);
    }

    private Job find(Caller caller, UUID id) {
        return jobs.find(jobs.imports(caller.host()), id)
                .orElseThrow(
                        () -> ApiException.notFound("unknown_import", "There is no such import, or it was deleted"));
    }

    private Job requireUploading(Caller caller, UUID id) {
        Job job = find(caller, id);
        if (!job.state().equals(Job.UPLOADING)) {
            throw new ApiException(HttpStatus.CONFLICT, "import_started", "The import has already been started");
        }
        return job;
    }

    @MaxBody(BodySize.FILES)
    @Put("/{id}")
    @Consumes(MediaType.APPLICATION_OCTET_STREAM)
    @Operation(
            summary = "Upload a part of an archive",
            description = "Parts are sent in order; 'from' is the number of bytes before this part. After an "
                    + "interruption, get the import and continue at its size.")
    @ApiResponse(responseCode = "200", description = "The import with the number of bytes received.")
    @ApiResponse(responseCode = "409", description = "The number of bytes received differs from 'from'.")
    Job part(@PathVariable UUID id, @QueryValue long from, @Body byte[] bytes, Caller caller) throws IOException {
        Job job = requireUploading(caller, id);
        JobFolder folder = jobs.imports(caller.host());
        Path file = folder.archive(id);
        long size = Files.size(file);
        if (size != from) {
            throw new ApiException(
                    HttpStatus.CONFLICT, "wrong_part", size + " bytes were received: continue after them");
        }
        if (size + bytes.length > MAX_BYTES) {
            throw ApiException.tooLarge("An archive has at most " + (MAX_BYTES >> 30) + " GiB");
        }
        Files.write(file, bytes, StandardOpenOption.APPEND);
        Job updated = job.withSize(size + bytes.length);
        folder.save(updated);
        return updated;
    }

    @Post("/{id}/start")
    @Operation(
            summary = "Start an import",
            description =
                    "The whole archive is checked before anything is written. Archives of newer versions are rejected.")
    @ApiResponse(responseCode = "202", description = "The import has begun.")
    @ApiResponse(
            responseCode = "409",
            description = "The archive is of a newer version, or the process is running another export or import.")
    @ApiResponse(responseCode = "422", description = "The file is damaged or not an archive.")
    HttpResponse<Job> start(
            @PathVariable UUID id,
            @Parameter(description = "Key of the imported project. Defaults to the key in the archive.")
                    @Nullable
                    @QueryValue
                    String as,
            Caller caller)
            throws IOException {
        Job job = requireUploading(caller, id);
        String to = as == null ? "" : requireKey(as);
        try {
            return HttpResponse.<Job>status(HttpStatus.ACCEPTED).body(jobs.startImport(caller.person(), job, to));
        } catch (ArchiveException e) {
            boolean newer = e.code().equals("archive_too_new");
            throw new ApiException(
                    newer ? HttpStatus.CONFLICT : HttpStatus.UNPROCESSABLE_ENTITY, e.code(), e.getMessage());
        }
    }

    private static String requireKey(String key) {
        if (!RecordKey.isNewProject(key)) {
            throw ApiException.badRequest(
                    "invalid_key",
                    "A project key is a UUID in lower case, or 1 to 64 letters, digits, _ or - that are no UUID.");
        }
        return key;
    }

    /**
     * Get an import. Progress and result of the import.
     *
     * @return The import.
     */
    @Get("/{id}")
    Job show(@PathVariable UUID id, Caller caller) {
        return find(caller, id);
    }
}

package dev.parley.sessions.archive;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.server.types.files.SystemFile;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import java.util.UUID;

/** Exports of projects: start, status, download. */
@Controller("/v1/projects/{project}/exports")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Archives", description = "Export a project as a file, and import one.")
class ExportController {
    private final Jobs jobs;

    ExportController(Jobs jobs) {
        this.jobs = jobs;
    }

    /** Export a project. Copies the project as of one instant, while it is in use. The archive is kept for a day. */
    @Post
    @RequiresCapability(Capability.PROJECT_EXPORT)
    @ApiResponse(responseCode = "202", description = "The export has begun.")
    @ApiResponse(
            responseCode = "409",
            description = "The process is running another export or import; try again later.")
    HttpResponse<Job> begin(@PathVariable String project, Caller caller) {
        Project resolved = caller.require(Capability.PROJECT_EXPORT, project);
        return HttpResponse.<Job>status(HttpStatus.ACCEPTED).body(jobs.startExport(resolved, caller.person()));
    }

    /**
     * Get an export. Progress and, when done, a summary of the archive.
     *
     * @return The export.
     */
    @Get("/{id}")
    @RequiresCapability(Capability.PROJECT_EXPORT)
    Job show(@PathVariable String project, @PathVariable UUID id, Caller caller) {
        return find(caller.require(Capability.PROJECT_EXPORT, project), id);
    }

    private Job find(Project project, UUID id) {
        return jobs.find(jobs.exports(project), id)
                .orElseThrow(
                        () -> ApiException.notFound("unknown_export", "There is no such export, or it was deleted"));
    }

    /**
     * Get the archive of an export. A ZIP file; its SHA-256 is in the export.
     *
     * @return The bytes.
     */
    @Get("/{id}/archive")
    @RequiresCapability(Capability.PROJECT_EXPORT)
    @Produces("application/zip")
    @ApiResponse(responseCode = "409", description = "The export is not done.")
    HttpResponse<SystemFile> archive(@PathVariable String project, @PathVariable UUID id, Caller caller) {
        Project resolved = caller.require(Capability.PROJECT_EXPORT, project);
        if (!find(resolved, id).state().equals(Job.DONE)) {
            throw new ApiException(HttpStatus.CONFLICT, "export_not_done", "The export is not complete");
        }
        var file = new SystemFile(jobs.exports(resolved).archive(id).toFile(), MediaType.of("application/zip"));
        return HttpResponse.ok(file)
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + resolved.projectKey() + ".zip\"")
                .header("X-Content-Type-Options", "nosniff")
                .header(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    /** Delete an export. Deletes the archive before its day is over. */
    @Delete("/{id}")
    @RequiresCapability(Capability.PROJECT_EXPORT)
    @ApiResponse(responseCode = "204", description = "The export was deleted.")
    HttpResponse<Void> delete(@PathVariable String project, @PathVariable UUID id, Caller caller) throws IOException {
        Project resolved = caller.require(Capability.PROJECT_EXPORT, project);
        if (find(resolved, id).state().equals(Job.RUNNING)) {
            throw new ApiException(HttpStatus.CONFLICT, "export_not_done", "The export is still running");
        }
        jobs.exports(resolved).delete(id);
        return HttpResponse.noContent();
    }
}

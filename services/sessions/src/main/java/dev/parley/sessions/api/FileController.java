package dev.parley.sessions.api;

import dev.parley.domain.access.Capability;
import dev.parley.domain.access.SessionStanding.Use;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.sessions.api.SessionRows.Naming;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.server.types.files.SystemFile;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Optional;

/** Serves uploaded files and files made by tools. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Files", description = "Files that were sent with messages.")
class FileController {
    private final Optional<BlobStore> blobs;
    private final Views views;
    private final SessionRows rows;

    FileController(Optional<BlobStore> blobs, Views views, SessionRows rows) {
        this.blobs = blobs;
        this.views = views;
        this.rows = rows;
    }

    /**
     * Get a file. The bytes with this SHA-256, for callers that may read a session that names them.
     *
     * @param sha256 SHA-256 of the bytes, in lower-case hex.
     * @return The bytes.
     */
    @Authenticated
    @Get("/v1/blobs/{sha256}")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    HttpResponse<SystemFile> blob(@PathVariable String sha256, Caller caller) {
        var file = views.eventually(() -> visible(caller, sha256))
                .flatMap(_ -> blobs.flatMap(store -> store.get(sha256)))
                .orElseThrow(() -> ApiException.notFound("unknown_blob", "There is no file with this SHA-256"));
        // A browser must not render it as a page of this site.
        return HttpResponse.ok(new SystemFile(file.toFile(), MediaType.APPLICATION_OCTET_STREAM_TYPE))
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment")
                .header("X-Content-Type-Options", "nosniff")
                .header(HttpHeaders.CACHE_CONTROL, "private, max-age=31536000, immutable");
    }

    /** A session that names the file and that the caller may read. */
    private Optional<Naming> visible(Caller caller, String sha256) {
        return views.read(caller.tenant(), () -> rows.findNaming(caller.host(), sha256, caller.user())).stream()
                .filter(naming -> caller.may(Capability.FILE_READ, naming.projectKey())
                        && caller.standing(naming.projectKey(), naming.userId()).allows(Use.READ))
                .findFirst();
    }
}

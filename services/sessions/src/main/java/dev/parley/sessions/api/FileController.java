package dev.parley.sessions.api;

import dev.parley.domain.access.Capability;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Select;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.SignedIn;
import io.micronaut.context.annotation.Requires;
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
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gives files back. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.sessions", value = "true")
@Tag(name = "Files", description = "Files that were sent with messages.")
class FileController {
    /** In how many sessions the same bytes are looked for. */
    private static final int MOST = 200;

    private static final String NAMED = """
            SELECT DISTINCT j.project_key, s.user_id, s.user_id = ? AS own
            FROM sessions.session_file_t f
            JOIN sessions.agent_session_t s ON s.host_id = f.host_id AND s.session_id = f.session_id AND s.status <> 'deleted'
            JOIN sessions.project_t j ON j.host_id = s.host_id AND j.project_id = s.project_id
            WHERE f.host_id = ? AND f.sha256 = ?
            ORDER BY own DESC NULLS LAST
            LIMIT %d
            """.formatted(MOST);

    private final Optional<BlobStore> blobs;
    private final Views views;

    FileController(Optional<BlobStore> blobs, Views views) {
        this.blobs = blobs;
        this.views = views;
    }

    private record Place(String project, @Nullable String owner) {}

    /** A file's bytes; never shown by a browser as a page of this site. */
    @SignedIn
    @Get("/v1/blobs/{sha256}")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    @Operation(
            summary = "Get a file",
            description = "Gives back the bytes with this SHA-256, to whoever may read a session that names them.")
    @ApiResponse(responseCode = "200", description = "The bytes.")
    HttpResponse<SystemFile> blob(
            @Parameter(description = "The SHA-256 of the bytes, in lower-case hex.") @PathVariable String sha256,
            @Parameter(hidden = true) Caller caller) {
        var file = views.eventually(() -> visible(caller, sha256))
                .flatMap(_ -> blobs.flatMap(store -> store.get(sha256)))
                .orElseThrow(() -> ApiException.notFound("unknown_blob", "There are no bytes with this address"));
        return HttpResponse.ok(new SystemFile(file.toFile(), MediaType.APPLICATION_OCTET_STREAM_TYPE))
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment")
                .header("X-Content-Type-Options", "nosniff")
                .header(HttpHeaders.CACHE_CONTROL, "private, max-age=31536000, immutable");
    }

    /** A place where the caller may read this file. */
    private Optional<Place> visible(Caller caller, String sha256) {
        var select = new Select(NAMED, caller.user(), caller.host(), sha256);
        return views
                .read(
                        caller.tenant(),
                        reading -> reading.list(
                                select, row -> new Place(row.getString("project_key"), row.getString("user_id"))))
                .stream()
                .filter(place -> caller.may(Capability.FILE_READ, place.project())
                        && (caller.readsAll(place.project()) || caller.user().equals(place.owner())))
                .findFirst();
    }
}

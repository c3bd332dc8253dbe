package dev.parley.sessions.api.share;

import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Public;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.server.types.files.SystemFile;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Public, read-only access to shared sessions by link. */
@Controller
@Public
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Sharing")
class SharedController {
    private static final int PAGE = 100;

    private final SharedSessions shared;
    private final Optional<BlobStore> blobs;

    SharedController(SharedSessions shared, Optional<BlobStore> blobs) {
        this.shared = shared;
        this.blobs = blobs;
    }

    /**
     * Read a shared session. Messages of the session in chronological order. No API key is needed.
     *
     * @return A page of the shared session.
     */
    @Get("/v1/shared/{token}")
    HttpResponse<SharedJson> read(
            @PathVariable String token, @Nullable @QueryValue Integer limit, @Nullable @QueryValue String cursor) {
        return addPrivacyHeaders(HttpResponse.ok(shared.read(token, Cursor.limit(limit), Cursor.parse(cursor))));
    }

    /**
     * Get a file of a shared session. Only files of this session. No API key is needed.
     *
     * @return The bytes.
     */
    @Get("/v1/shared/{token}/files/{sha256}")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    HttpResponse<SystemFile> file(@PathVariable String token, @PathVariable String sha256) {
        shared.requireFile(token, sha256);
        var file = blobs.flatMap(store -> store.get(sha256)).orElseThrow(SharedSessions::unknownLink);
        return addPrivacyHeaders(
                        HttpResponse.ok(new SystemFile(file.toFile(), MediaType.APPLICATION_OCTET_STREAM_TYPE)))
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment")
                .header("Content-Security-Policy", "default-src 'none'; sandbox");
    }

    /** The shared session as an HTML page. */
    @Hidden
    @Get("/s/{token}")
    @Produces(MediaType.TEXT_HTML)
    HttpResponse<String> page(@PathVariable String token, @Nullable @QueryValue String cursor) {
        try {
            return page(HttpResponse.ok(SharedPage.of(shared.read(token, PAGE, Cursor.parse(cursor)), token)));
        } catch (ApiException e) {
            return page(HttpResponse.status(e.status())
                    .body(e.status().getCode() == 404 ? SharedPage.invalidLink() : SharedPage.unavailable()));
        }
    }

    private static HttpResponse<String> page(MutableHttpResponse<String> page) {
        return addPrivacyHeaders(page)
                .contentType(MediaType.TEXT_HTML_TYPE)
                .header("Content-Security-Policy", SharedPage.POLICY)
                .header("X-Frame-Options", "DENY");
    }

    /** Headers that keep the page out of caches and search engines, and its URL out of referrers. */
    private static <T> MutableHttpResponse<T> addPrivacyHeaders(MutableHttpResponse<T> response) {
        return response.header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header("X-Robots-Tag", "noindex, nofollow")
                .header("Referrer-Policy", "no-referrer")
                .header("X-Content-Type-Options", "nosniff");
    }

    /** Rejected: a link is read-only. */
    @Hidden
    @Post("/v1/shared/{rest:.*}")
    HttpResponse<?> post(@PathVariable String rest) {
        throw readOnly();
    }

    @Hidden
    @Put("/v1/shared/{rest:.*}")
    HttpResponse<?> put(@PathVariable String rest) {
        throw readOnly();
    }

    @Hidden
    @Patch("/v1/shared/{rest:.*}")
    HttpResponse<?> patch(@PathVariable String rest) {
        throw readOnly();
    }

    @Hidden
    @Delete("/v1/shared/{rest:.*}")
    HttpResponse<?> delete(@PathVariable String rest) {
        throw readOnly();
    }

    private static ApiException readOnly() {
        return new ApiException(HttpStatus.METHOD_NOT_ALLOWED, "method_not_allowed", "A share link is read-only");
    }
}

package dev.parley.platform.personal;

import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.server.types.files.StreamedFile;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Export of personal data. */
@Controller("/v1/me/export")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(beans = PersonalExports.class)
@Tag(name = "Me")
class PersonalController {
    private final PersonalExports exports;

    PersonalController(PersonalExports exports) {
        this.exports = exports;
    }

    /**
     * Export the caller's personal data. A ZIP archive of the account, links with channels, memory, usage, workflows,
     * and the caller's sessions with their messages and the files that these name. Its last entry is a manifest,
     * without which the archive is incomplete. Requires a sign-in, or a key without limits. Recorded in the audit log.
     *
     * @return The archive, streamed from the services of this process.
     */
    @Get(headRoute = false)
    @Authenticated
    @Audited(source = "user", action = "export")
    @Produces("application/zip")
    @ApiResponse(responseCode = "403", description = "The key is limited.")
    @ApiResponse(responseCode = "409", description = "Another export of the caller is running; try again later.")
    @ApiResponse(responseCode = "429", description = "Too many exports of other users are running; try again later.")
    HttpResponse<StreamedFile> export(Caller caller) {
        requireAll(caller.key());
        var zip = new StreamedFile(exports.begin(caller), MediaType.of("application/zip"));
        return HttpResponse.ok(zip)
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"parley.zip\"")
                .header("X-Content-Type-Options", "nosniff")
                .header(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    /** Rejects restricted keys, since an export contains all data of the user. */
    private static void requireAll(AccessKey key) {
        if (key.project() != null || !key.permissions().contains(AccessKey.ALL)) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN,
                    "forbidden",
                    "A key that is limited does not open all that is yours: sign in, or use a key without limits.");
        }
    }
}

package dev.parley.control.people;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.http.Checks;
import dev.parley.control.people.People.Change;
import dev.parley.control.people.SignInCodes.Purpose;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Erasing;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of the people of the caller's host, for its administrators. */
@Controller("/v1/users")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Users", description = "Users of the host, for administrators.")
class UserController {
    private final People people;
    private final SignInCodes codes;

    UserController(People people, SignInCodes codes) {
        this.people = people;
        this.codes = codes;
    }

    /** A code for POST /v1/auth/code, shown only once. */
    @Serdeable
    @Schema(name = "SignInCode")
    record SignInCodeJson(String code, Instant expiresAt) {
        /** Omits secrets. */
        @Override
        public String toString() {
            return "SignInCodeJson[]";
        }
    }

    /**
     * Changes of a user; an empty text clears a field.
     *
     * @param role Role: admin or user.
     * @param active True to restore a removed user.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "UserChange")
    record ChangeJson(
            @Nullable String email,
            @Nullable String role,
            @Nullable Boolean active) {}

    /**
     * List users. Users, by name.
     *
     * @param name Prefix of the usernames.
     * @return A page of users.
     */
    @Get
    @RequiresCapability(Capability.USER_READ)
    Page<Person> list(
            @Nullable @QueryValue String name,
            @Nullable @QueryValue Boolean includeInactive,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int max = Cursor.limit(limit);
        List<Person> rows =
                people.list(caller.host(), name, Boolean.TRUE.equals(includeInactive), max, Cursor.parse(cursor));
        return Page.of(rows, max, row -> row, row -> Cursor.of(row.username().toLowerCase(Locale.ROOT), row.id()));
    }

    /**
     * Get a user. A user of the host; removed users only with includeInactive.
     *
     * @return The user.
     */
    @Get("/{id}")
    @RequiresCapability(Capability.USER_READ)
    HttpResponse<Person> show(@PathVariable UUID id, @Nullable @QueryValue Boolean includeInactive, Caller caller) {
        return okWithETag(people.find(caller.host(), id)
                .filter(person -> person.active() || Boolean.TRUE.equals(includeInactive))
                .orElseThrow(() -> ApiException.notFound("unknown_user", "There is no user " + id)));
    }

    private static HttpResponse<Person> okWithETag(Person person) {
        return HttpResponse.ok(person).header("ETag", IfMatch.tag(person.version()));
    }

    /**
     * Update a user. Requires If-Match with the ETag that was read.
     *
     * @return The user.
     */
    @Patch("/{id}")
    @RequiresCapability(Capability.USER_MANAGE)
    HttpResponse<Person> change(
            @PathVariable UUID id, @Body ChangeJson body, @Nullable @Header("If-Match") String ifMatch, Caller caller) {
        if (body.role() != null && !List.of("admin", "user").contains(body.role())) {
            throw Checks.invalid("role", "must be admin or user");
        }
        boolean cleared = body.email() == null || body.email().isEmpty();
        var change = new Change(
                cleared ? body.email() : Checks.email(body.email()),
                null,
                null,
                null,
                null,
                body.role(),
                body.active());
        return okWithETag(people.change(caller, id, change, ifMatch, true));
    }

    /**
     * Delete a user. Ends the user's sign-ins and keys; PATCH with active restores the user. Erasure is a separate
     * operation.
     */
    @Delete("/{id}")
    @RequiresCapability(Capability.USER_MANAGE)
    @ApiResponse(responseCode = "204", description = "The user was removed.")
    @ApiResponse(
            responseCode = "409",
            description = "The user owns projects and ?reassignTo= does not name their new owner.")
    HttpResponse<Void> remove(
            @PathVariable UUID id,
            @Nullable @QueryValue UUID reassignTo,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        people.remove(caller, id, reassignTo, ifMatch);
        return HttpResponse.noContent();
    }

    /**
     * Create a sign-in code for a user. Creates a code with which the user signs in once within an hour (POST
     * /v1/auth/code) and may then set a password, for users who have forgotten theirs. Only for administrators with an
     * unrestricted key.
     */
    @Post("/{id}/sign-in-code")
    @ApiResponse(responseCode = "201", description = "The code, to be delivered in a way that nobody else can read.")
    @ApiResponse(responseCode = "409", description = "The user was removed, or also belongs to another host.")
    HttpResponse<SignInCodeJson> signInCode(@PathVariable UUID id, Caller caller) {
        people.allowSignInCode(caller, id);
        String code = codes.issue(Purpose.ADMINISTRATOR, id, "administrator");
        Instant end = Instant.now().plus(Purpose.ADMINISTRATOR.lifetime());
        return HttpResponse.created(new SignInCodeJson(code, end)).header("Cache-Control", "no-store");
    }

    /**
     * Erase a user. Removes the user's identity and erases all their sessions. This cannot be undone. The receipt shows
     * the progress: GET /v1/erasures/{erasure}.
     */
    @Post("/{id}/erase")
    @RequiresCapability(Capability.USER_MANAGE)
    @ApiResponse(responseCode = "202", description = "The user's identity was removed, and their data is being erased.")
    @ApiResponse(
            responseCode = "409",
            description = "The user owns projects and ?reassignTo= does not name their new owner.")
    HttpResponse<Erasing> erase(
            @PathVariable UUID id,
            @Nullable @QueryValue UUID reassignTo,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        return Erasing.accepted(people.erase(caller, id, reassignTo, ifMatch));
    }
}

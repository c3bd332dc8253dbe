package dev.parley.control.people;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.http.Checks;
import dev.parley.control.http.JsonColumns;
import dev.parley.control.people.People.Change;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.RightsChange.Change.OfSignIn;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Put;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of the caller's own profile, password and sign-ins. */
@Controller("/v1/me")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Me", description = "The caller's own profile, password and sign-ins.")
class MeController {
    private final People people;
    private final SignIns signIns;
    private final Passwords passwords;
    private final SignInThrottle attempts;

    MeController(People people, SignIns signIns, Passwords passwords, SignInThrottle attempts) {
        this.people = people;
        this.signIns = signIns;
        this.passwords = passwords;
        this.attempts = attempts;
    }

    /** Changes of the profile; an empty text clears a field. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Profile")
    record ProfileJson(
            @Nullable String email,
            @Nullable String avatarUrl,
            @Nullable String timeZone,
            @Nullable String language) {}

    /**
     * The new password and the current one.
     *
     * @param current Current password; not required if there is none, or within 15 minutes of a sign-in with a code by
     *     e-mail or from an administrator.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "NewPassword")
    record PasswordJson(@Nullable String current, @Nullable String password) {}

    /**
     * A sign-in of the caller.
     *
     * @param current True for the sign-in of this request.
     */
    @Serdeable
    @Schema(name = "OwnSignIn")
    record SignInJson(
            UUID id,
            String method,
            @Nullable String address,
            @Nullable String userAgent,
            Instant createdAt,
            Instant until,
            boolean current) {}

    /** The caller's sign-ins, newest first. */
    @Serdeable
    @Schema(name = "SignInList")
    record SignInsJson(List<SignInJson> data) {}

    /**
     * Get the caller. The user to whom the key or token belongs.
     *
     * @return The user.
     */
    @Get
    @Authenticated
    HttpResponse<Person> show(Caller caller) {
        return okWithETag(people.find(caller.host(), caller.person().user()).orElseThrow());
    }

    private static HttpResponse<Person> okWithETag(Person person) {
        return HttpResponse.ok(person).header("ETag", IfMatch.tag(person.version()));
    }

    /**
     * Update the caller's profile. Changes only the given fields; an empty text clears a field.
     *
     * @return The user.
     */
    @Patch
    @RequiresCapability(Capability.PROFILE_WRITE)
    HttpResponse<Person> change(@Body ProfileJson body, @Nullable @Header("If-Match") String ifMatch, Caller caller) {
        if (body.email() != null) {
            caller.requireSignIn();
        }
        var change = new Change(
                body.email() == null || body.email().isEmpty() ? body.email() : Checks.email(body.email()),
                isCleared(body.avatarUrl()) ? body.avatarUrl() : Checks.webAddress("avatarUrl", body.avatarUrl()),
                isCleared(body.timeZone()) ? body.timeZone() : Checks.timeZone(body.timeZone()),
                isCleared(body.language()) ? body.language() : Checks.language(body.language()),
                null,
                null,
                null);
        return okWithETag(people.change(caller, caller.person().user(), change, ifMatch, false));
    }

    private static boolean isCleared(@Nullable String text) {
        return text == null || text.isEmpty();
    }

    /**
     * Update the caller's preferences. Accepts any JSON object; its fields replace those of the same names.
     *
     * @return The user.
     */
    @Patch("/preferences")
    @RequiresCapability(Capability.PROFILE_WRITE)
    HttpResponse<Person> preferences(@Body JsonNode body, @Nullable @Header("If-Match") String ifMatch, Caller caller) {
        if (!body.isObject()) {
            throw ApiException.badRequest("invalid_preferences", "Preferences must be a JSON object");
        }
        String text = JsonColumns.text(body);
        if (text.length() > People.MAX_PREFERENCES) {
            throw ApiException.tooLarge("Preferences must have at most " + People.MAX_PREFERENCES + " characters");
        }
        var change = new Change(null, null, null, null, text, null, null);
        return okWithETag(people.change(caller, caller.person().user(), change, ifMatch, false));
    }

    /** Change the caller's password. Ends all other sign-ins of the caller. */
    @Put("/password")
    @RequiresCapability(Capability.PROFILE_WRITE)
    @ApiResponse(responseCode = "204", description = "The password was changed.")
    HttpResponse<Void> password(@Body PasswordJson body, Caller caller) {
        caller.requireSignIn();
        UUID user = caller.person().user();
        caller.requireChange(new OfSignIn(user));
        String name = caller.person().name();
        if (body.current() != null
                || !signIns.isByCode(caller.host(), caller.key().id())) {
            requireCurrent(body.current(), name, user);
        }
        String hash = passwords.hash(Checks.requireText("password", body.password(), 1_000));
        people.setPassword(caller.host(), user, hash, caller.key().id(), caller.user());
        return HttpResponse.noContent();
    }

    private void requireCurrent(@Nullable String password, String name, UUID user) {
        attempts.begin(name, user.toString(), null);
        @Nullable
        String before =
                people.findAccount(name).map(SignInAccount::passwordHash).orElse(null);
        if (!passwords.matches(password == null ? "" : password, before) && before != null) {
            throw new ApiException(HttpStatus.FORBIDDEN, "wrong_password", "The current password is wrong.");
        }
        attempts.onSucceeded(name, user.toString(), null);
    }

    /** List the caller's sign-ins. The caller's sign-ins, newest first. */
    @Get("/sign-ins")
    @RequiresCapability(Capability.PROFILE_WRITE)
    SignInsJson signIns(Caller caller) {
        return new SignInsJson(signIns.list(caller.host(), caller.person().user()).stream()
                .map(signIn -> json(signIn, caller.key().id()))
                .toList());
    }

    private static SignInJson json(SignIn signIn, UUID current) {
        return new SignInJson(
                signIn.id(),
                signIn.method(),
                signIn.address(),
                signIn.userAgent(),
                signIn.createdAt(),
                signIn.until(),
                signIn.id().equals(current));
    }

    /** End one of the caller's sign-ins. Its tokens are no longer valid on any instance. */
    @Delete("/sign-ins/{id}")
    @RequiresCapability(Capability.PROFILE_WRITE)
    @ApiResponse(responseCode = "204", description = "The sign-in was ended.")
    HttpResponse<Void> end(@PathVariable UUID id, Caller caller) {
        if (!signIns.end(caller.host(), caller.person().user(), id)) {
            throw ApiException.notFound("unknown_sign_in", "There is no sign-in " + id);
        }
        return HttpResponse.noContent();
    }
}

package dev.parley.control.keys;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.control.http.Checks;
import dev.parley.control.keys.ApiKeys.Created;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
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
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of the caller's API keys. */
@Controller("/v1/api-keys")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "API keys", description = "API keys for programs: shown once, limited and revocable at once.")
class ApiKeyController {
    private final ApiKeys keys;

    ApiKeyController(ApiKeys keys) {
        this.keys = keys;
    }

    /**
     * A new API key.
     *
     * @param project Key of the only project that the API key opens; null for all of the caller's projects.
     * @param permissions Capabilities of the key, such as session.read. Defaults to all of the caller's.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "NewApiKey")
    record NewJson(
            @Nullable String name,
            @Nullable String project,
            @Nullable List<String> permissions,
            @Nullable Instant expiresAt) {}

    /**
     * A key with its secret, which is shown only once.
     *
     * @param apiKey Secret of the key; it is not stored and cannot be shown again.
     */
    @Serdeable
    @Schema(name = "MadeApiKey")
    record MadeJson(@JsonUnwrapped KeyJson key, String apiKey) {
        /** Omits secrets. */
        @Override
        public String toString() {
            return "MadeJson[" + key.prefix() + "]";
        }
    }

    /** Create an API key. The key grants no more than its user may do. Its secret is shown only once. */
    @Post
    @RequiresCapability(Capability.KEY_MANAGE)
    @ApiResponse(responseCode = "201", description = "The key was created; the response has its secret.")
    HttpResponse<MadeJson> make(@Body NewJson body, Caller caller) {
        Instant end = body.expiresAt();
        Checks.future("expiresAt", end);
        Instant ownEnd = caller.key().kind() == KeyKind.API_KEY ? caller.key().expiresAt() : null;
        if (ownEnd != null && (end == null || end.isAfter(ownEnd))) {
            end = ownEnd; // a key cannot create one that lasts longer
        }
        String project = Checks.optional("project", body.project(), 64);
        Created created = keys.create(
                caller,
                Checks.requireName("name", body.name(), 126),
                project == null
                        ? null
                        : caller.require(Capability.PROJECT_READ, project).project(),
                permissions(body.permissions() == null ? List.of(AccessKey.ALL) : body.permissions()),
                end);
        return HttpResponse.created(new MadeJson(created.key(), created.secret()))
                .header("Cache-Control", "no-store");
    }

    private static List<String> permissions(List<String> requested) {
        for (String code : requested) {
            if (code == null) {
                throw Checks.invalid("permissions", "must not contain null");
            }
            if (!code.equals(AccessKey.ALL) && Capability.of(code).isEmpty()) {
                throw Checks.invalid("permissions", "names '" + code + "', which is not a capability");
            }
        }
        return requested.stream().distinct().toList();
    }

    /**
     * List API keys. The caller's keys, newest first; administrators find keys of all users by prefix.
     *
     * @param prefix Visible part of a key, or the whole of a leaked key.
     * @return A page of keys.
     */
    @Get
    @RequiresCapability(Capability.KEY_MANAGE)
    Page<KeyJson> list(
            @Nullable @QueryValue String prefix,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int max = Cursor.limit(limit);
        List<KeyJson> rows = keys.list(caller, prefix, max, Cursor.parse(cursor));
        return Page.of(rows, max, row -> row, row -> Cursor.of(row.createdAt(), row.id()));
    }

    /**
     * Get an API key. Does not include the secret.
     *
     * @return The key.
     */
    @Get("/{id}")
    @RequiresCapability(Capability.KEY_MANAGE)
    KeyJson show(@PathVariable UUID id, Caller caller) {
        return keys.find(caller, id);
    }

    /** Revoke an API key. The key stops working on every instance within a second. */
    @Delete("/{id}")
    @RequiresCapability(Capability.KEY_MANAGE)
    @ApiResponse(responseCode = "204", description = "The key was revoked.")
    HttpResponse<Void> revoke(@PathVariable UUID id, @Nullable @Header("If-Match") String ifMatch, Caller caller) {
        keys.revoke(caller, id, ifMatch);
        return HttpResponse.noContent();
    }
}

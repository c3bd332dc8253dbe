package dev.parley.control.credentials;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.credentials.Credentials.Content;
import dev.parley.control.http.Checks;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.Page;
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
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of model providers' keys: the caller's own, and with {@code ?owner=host} the host's. */
@Controller("/v1/credentials")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(
        name = "Credentials",
        description = "Keys of model providers: the caller's own (credential.manage) or, with ?owner=host, the "
                + "host's (setting.manage). A key is sealed and never shown.")
class CredentialController {
    private static final String OWNER = "Owner of the credentials: host for the host's. Defaults to the caller's own.";

    private final Credentials credentials;
    private final List<String> providers;

    CredentialController(Credentials credentials, ParleyConfig config) {
        this.credentials = credentials;
        this.providers =
                config.providers().stream().map(ProviderConfig::name).sorted().toList();
    }

    /**
     * A new credential.
     *
     * @param provider Provider of the key, as agents name it: openai, anthropic or a configured one.
     * @param name Name, unique per provider; one credential of each provider may have no name.
     * @param isDefault True to replace the current default of the provider. The first credential of a provider is
     *     always the default.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "NewCredential")
    record NewJson(
            @Nullable String provider,
            @Nullable String name,
            @Nullable String apiKey,
            @Nullable Boolean isDefault) {
        /** Omits secrets. */
        @Override
        public String toString() {
            return "NewJson[" + provider + "]";
        }
    }

    /**
     * Changes of a credential; an empty name clears the name.
     *
     * @param apiKey New key that replaces the current one.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "CredentialChange")
    record ChangeJson(
            @Nullable String name,
            @Nullable String apiKey,
            @Nullable Boolean isDefault) {
        /** Omits secrets. */
        @Override
        public String toString() {
            return "ChangeJson[" + name + "]";
        }
    }

    /** Create a credential. The key is sealed, pays for calls to its provider and is never shown. */
    @Post
    @Authenticated
    @ApiResponse(responseCode = "201", description = "The credential was created.")
    @ApiResponse(responseCode = "400", description = "Unknown provider; the problem lists the known ones.")
    @ApiResponse(
            responseCode = "409",
            description = "A credential of this provider with this name, or without a name, already exists.")
    HttpResponse<CredentialJson> make(
            @Body NewJson body, @Parameter(description = OWNER) @Nullable @QueryValue String owner, Caller caller) {
        Owner whose = Owner.of(caller, owner);
        String provider = Checks.requireText("provider", body.provider(), 64);
        if (!providers.contains(provider)) {
            throw ApiException.badRequest(
                    "unknown_provider",
                    "There is no provider '%s'; the providers are %s"
                            .formatted(provider, String.join(", ", providers)));
        }
        if (body.apiKey() == null) {
            throw ApiException.badRequest("missing_field", "The field 'apiKey' is missing");
        }
        ProviderKey key = ProviderKey.of(body.apiKey());
        var content = new Content(Checks.optionalName("name", body.name(), 126), key, body.isDefault());
        CredentialJson created = credentials.create(caller, whose, provider, key, content);
        return HttpResponse.created(created).header("ETag", IfMatch.tag(created.version()));
    }

    /**
     * List credentials. Credentials without their keys, newest first.
     *
     * @param provider Only credentials of this provider.
     * @return A page of credentials.
     */
    @Get
    @Authenticated
    Page<CredentialJson> list(
            @Parameter(description = OWNER) @Nullable @QueryValue String owner,
            @Nullable @QueryValue String provider,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int max = Cursor.limit(limit);
        List<CredentialJson> rows =
                credentials.list(caller, Owner.of(caller, owner), provider, max, Cursor.parse(cursor));
        return Page.of(rows, max, row -> row, row -> Cursor.of(row.createdAt(), row.id()));
    }

    private static HttpResponse<CredentialJson> okWithETag(CredentialJson credential) {
        return HttpResponse.ok(credential).header("ETag", IfMatch.tag(credential.version()));
    }

    /**
     * Get a credential. Does not include the key. The response has an ETag.
     *
     * @return The credential.
     */
    @Get("/{id}")
    @Authenticated
    HttpResponse<CredentialJson> show(
            @PathVariable UUID id, @Parameter(description = OWNER) @Nullable @QueryValue String owner, Caller caller) {
        return okWithETag(credentials.find(caller, Owner.of(caller, owner), id));
    }

    /**
     * Update a credential. Requires If-Match with the ETag that was read.
     *
     * @return The credential.
     */
    @Patch("/{id}")
    @Authenticated
    HttpResponse<CredentialJson> change(
            @PathVariable UUID id,
            @Body ChangeJson body,
            @Parameter(description = OWNER) @Nullable @QueryValue String owner,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        boolean cleared = body.name() == null || body.name().isEmpty();
        var content = new Content(
                cleared ? body.name() : Checks.requireName("name", body.name(), 126),
                body.apiKey() == null ? null : ProviderKey.of(body.apiKey()),
                body.isDefault());
        return okWithETag(credentials.change(caller, Owner.of(caller, owner), id, content, ifMatch));
    }

    /**
     * Delete a credential. The key is not used for any call after one second. If it was the default, the newest
     * remaining credential becomes the default.
     */
    @Delete("/{id}")
    @Authenticated
    @ApiResponse(responseCode = "204", description = "The credential was deleted.")
    HttpResponse<Void> delete(
            @PathVariable UUID id,
            @Parameter(description = OWNER) @Nullable @QueryValue String owner,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        credentials.delete(caller, Owner.of(caller, owner), id, ifMatch);
        return HttpResponse.noContent();
    }
}

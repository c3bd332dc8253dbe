package dev.parley.control.people;

import dev.parley.control.people.FederatedSignIn.ProviderRedirect;
import dev.parley.control.people.IdentityRequests.SignInRequest;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.RightsChange.Change.OfSignIn;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of the caller's external identities. */
@Controller("/v1/me/identities")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Me")
class IdentityController {
    private final Identities identities;
    private final FederatedSignIn federated;
    private final Redirects redirects;

    IdentityController(Identities identities, FederatedSignIn federated, Redirects redirects) {
        this.identities = identities;
        this.federated = federated;
        this.redirects = redirects;
    }

    /** Identity providers with which the caller signs in, by name. */
    @Serdeable
    @Schema(name = "IdentityList")
    record LinkedListJson(List<LinkedIdentity> data) {}

    /** Address to open in the browser that sends the request. */
    @Serdeable
    @Schema(name = "IdentityQuestion")
    record QuestionJson(String url) {}

    /** List identities. Identity providers with which the caller signs in. */
    @Get
    @Authenticated
    LinkedListJson list(Caller caller) {
        return new LinkedListJson(identities.list(caller.person().user()));
    }

    /**
     * Link an identity. Returns the address to open and sets a cookie that linking requires.
     *
     * @param redirect Final destination, as for a sign-in; it receives #linked=….
     * @return The address to open; the callback links the identity.
     */
    @Post("/{provider}")
    @RequiresCapability(Capability.PROFILE_WRITE)
    HttpResponse<QuestionJson> link(
            @PathVariable String provider, @Nullable @QueryValue String redirect, Caller caller) {
        UUID user = requireSignedIn(caller);
        ProviderRedirect start = federated.start(new SignInRequest(provider, redirects.check(redirect), user));
        return HttpResponse.ok(new QuestionJson(start.address().toString()))
                .cookie(start.cookie())
                .header("Cache-Control", "no-store");
    }

    /** Requires a sign-in: an identity linked with a key would outlive the key. */
    private static UUID requireSignedIn(Caller caller) {
        if (caller.key().kind() != KeyKind.SIGN_IN) {
            throw new ApiException(HttpStatus.FORBIDDEN, "forbidden", "This needs a sign-in, not a key of the API.");
        }
        UUID user = caller.person().user();
        caller.requireChange(new OfSignIn(user));
        return user;
    }

    /** Unlink an identity. The caller can no longer sign in with this provider. */
    @Delete("/{provider}")
    @RequiresCapability(Capability.PROFILE_WRITE)
    @ApiResponse(responseCode = "204", description = "The identity was unlinked.")
    @ApiResponse(responseCode = "409", description = "The identity is the caller's only sign-in method.")
    HttpResponse<Void> unlink(@PathVariable String provider, Caller caller) {
        if (!identities.unlink(caller.host(), requireSignedIn(caller), provider)) {
            throw ApiException.notFound("unknown_identity", "No account of '" + provider + "' is linked");
        }
        return HttpResponse.noContent();
    }
}

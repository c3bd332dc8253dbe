package dev.parley.control.people;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.http.Checks;
import dev.parley.control.people.AuthController.GrantedJson;
import dev.parley.control.people.FederatedSignIn.ProviderRedirect;
import dev.parley.control.people.FederatedSignIn.ProviderResponse;
import dev.parley.control.people.IdentityController.LinkedListJson;
import dev.parley.control.people.IdentityRequests.SignInRequest;
import dev.parley.control.people.SignInCodes.Purpose;
import dev.parley.control.people.SignInCodes.Redeemed;
import dev.parley.control.people.SignInThrottle.Limit;
import dev.parley.control.people.SignIns.Client;
import dev.parley.platform.http.Public;
import dev.parley.platform.http.network.ClientAddress;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
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
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes to sign in with an external identity provider. */
@Controller("/v1/auth")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Sign-in")
class FederatedSignInController {
    private final FederatedSignIn federated;
    private final AccountLinking linking;
    private final Identities identities;
    private final SignInCodes codes;
    private final Redirects redirects;
    private final SignInThrottle attempts;
    private final SignIns signIns;
    private final EmailLinks emails;
    private final ClientAddress clients;

    FederatedSignInController(
            FederatedSignIn federated,
            AccountLinking linking,
            Identities identities,
            SignInCodes codes,
            Redirects redirects,
            SignInThrottle attempts,
            SignIns signIns,
            EmailLinks emails,
            ClientAddress clients) {
        this.clients = clients;
        this.federated = federated;
        this.linking = linking;
        this.identities = identities;
        this.codes = codes;
        this.redirects = redirects;
        this.attempts = attempts;
        this.signIns = signIns;
        this.emails = emails;
    }

    /**
     * An identity provider for sign-in.
     *
     * @param name Name used in paths.
     * @param title Display name.
     */
    @Serdeable
    @Schema(name = "IdentityProvider")
    record ProviderJson(String name, String title) {}

    /**
     * Sign-in methods besides a password.
     *
     * @param email True if sign-in codes are sent by e-mail.
     */
    @Serdeable
    @Schema(name = "IdentityProviderList")
    record ProvidersJson(List<ProviderJson> data, boolean email) {}

    /** A short-lived code that is valid once. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "OneTimeCode")
    record CodeJson(@Nullable String code) {
        /** Omits secrets. */
        @Override
        public String toString() {
            return "CodeJson[]";
        }
    }

    /** List sign-in methods. Identity providers and e-mail, for a sign-in page. */
    @Get("/providers")
    @Public
    ProvidersJson providers() {
        return new ProvidersJson(
                federated.providers().stream()
                        .map(provider -> new ProviderJson(provider.name(), provider.title()))
                        .toList(),
                emails.areEnabled());
    }

    /**
     * Start a federated sign-in. For browsers: redirects to the provider, and from there to the callback.
     *
     * @param redirect Final destination: a path of this server, or an address that signIn.redirects allows. It receives
     *     #code=… for POST /v1/auth/code. If null, the callback returns the tokens.
     */
    @Get("/oauth/{provider}")
    @Public
    @ApiResponse(responseCode = "303", description = "Redirect to the provider.")
    @ApiResponse(responseCode = "502", description = "The provider cannot be reached.")
    HttpResponse<?> start(
            @PathVariable String provider, @Nullable @QueryValue String redirect, HttpRequest<?> request) {
        URI end = redirects.check(redirect);
        attempts.require(Limit.IDENTITY, clients.networkOf(request));
        ProviderRedirect start = federated.start(new SignInRequest(provider, end, null));
        return redirect(start.address()).cookie(start.cookie());
    }

    private static MutableHttpResponse<?> redirect(URI address) {
        return HttpResponse.seeOther(address)
                .header("Cache-Control", "no-store")
                .header("Referrer-Policy", "no-referrer");
    }

    /** Complete a federated sign-in. Address to which providers redirect browsers. */
    @Get("/oauth/{provider}/callback")
    @Public
    @ApiResponse(responseCode = "200", description = "The tokens, or the identities of the user who linked one.")
    @ApiResponse(responseCode = "303", description = "Redirect to the final destination of the sign-in.")
    @ApiResponse(
            responseCode = "400",
            description = "The sign-in was not started in this browser or has already ended.")
    @ApiResponse(responseCode = "403", description = "The user did not consent, or registration is closed.")
    @ApiResponse(responseCode = "409", description = "The identity to link belongs to another user.")
    @ApiResponse(responseCode = "502", description = "The provider did not prove the user's identity.")
    HttpResponse<?> callback(@PathVariable String provider, HttpRequest<?> request) {
        ProviderResponse response = federated.complete(provider, request);
        URI end = response.request().redirect();
        UUID linkingUser = response.request().user();
        if (linkingUser != null) {
            identities.link(linkingUser, response.identity());
            return end == null
                    ? HttpResponse.ok(new LinkedListJson(identities.list(linkingUser)))
                    : redirect(Redirects.with(end, "linked", provider));
        }
        SignInAccount person = linking.findOrCreate(response.identity());
        if (end == null) {
            return AuthController.grantedResponse(signIns.open(person, provider, Client.of(request, clients)));
        }
        return redirect(Redirects.with(end, "code", codes.issue(Purpose.REDIRECT, person.user(), provider)));
    }

    /**
     * Redeem a sign-in for tokens. Accepts the code of a federated sign-in, valid for one minute, or of an
     * administrator, valid for one hour. Each code is valid once.
     *
     * @return The tokens.
     */
    @Post("/code")
    @Public
    @ApiResponse(responseCode = "401", description = "The code is wrong, was used or has expired.")
    HttpResponse<GrantedJson> code(@Body CodeJson body, HttpRequest<?> request) {
        Redeemed redeemed = codes.redeem(Purpose.HANDED_OVER, Checks.requireText("code", body.code(), 200));
        return AuthController.grantedResponse(
                signIns.open(redeemed.person(), redeemed.method(), Client.of(request, clients)));
    }
}

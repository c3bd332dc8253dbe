package dev.parley.control.people;

import dev.parley.control.identity.Identity;
import dev.parley.control.identity.IdentityException;
import dev.parley.control.identity.IdentityProvider;
import dev.parley.control.identity.IdentityProviders;
import dev.parley.control.people.IdentityRequests.ConsumedRequest;
import dev.parley.control.people.IdentityRequests.SignInRequest;
import dev.parley.control.people.IdentityRequests.StartedRequest;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.network.PublicUrl;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.http.cookie.SameSite;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a sign-in with an external provider and verifies its response. */
@Singleton
final class FederatedSignIn {
    private static final Logger LOG = LoggerFactory.getLogger(FederatedSignIn.class);
    private static final String COOKIE = "parley_sign_in";
    private static final String PATH = "/v1/auth/oauth";

    private final IdentityProviders providers;
    private final IdentityRequests requests;
    private final PublicUrl url;

    FederatedSignIn(IdentityProviders providers, IdentityRequests requests, PublicUrl url) {
        this.providers = providers;
        this.requests = requests;
        this.url = url;
    }

    /**
     * The redirect to a provider.
     *
     * @param cookie binds the response to the browser
     */
    record ProviderRedirect(URI address, Cookie cookie) {}

    /** The verified response of a provider. */
    record ProviderResponse(SignInRequest request, Identity identity) {}

    /** The configured providers. */
    List<IdentityProvider> providers() {
        return providers.all();
    }

    private IdentityProvider provider(String name) {
        return providers
                .find(name)
                .orElseThrow(() -> ApiException.notFound("unknown_provider", "There is no provider '" + name + "'"));
    }

    /**
     * Starts a sign-in.
     *
     * @throws ApiException 404 where there is no such provider, 502 where it is not reachable
     */
    ProviderRedirect start(SignInRequest request) {
        IdentityProvider provider = provider(request.provider());
        StartedRequest started = requests.begin(request);
        try {
            return new ProviderRedirect(provider.authorizationUrl(started.handshake()), cookie(started.browser()));
        } catch (IdentityException e) {
            throw problem(provider, e);
        }
    }

    private Cookie cookie(String value) {
        return Cookie.of(COOKIE, value)
                .path(url.of(PATH).getPath())
                .maxAge(IdentityRequests.TTL.toSeconds())
                .httpOnly(true)
                .secure(url.isSecure())
                .sameSite(SameSite.Lax);
    }

    /**
     * Verifies the response of a provider.
     *
     * @throws ApiException 400 where this browser has no pending request for it, 403 where consent was denied, 502
     *     where the provider does not confirm the identity
     */
    ProviderResponse complete(String name, HttpRequest<?> request) {
        IdentityProvider provider = provider(name);
        Map<String, List<String>> parameters =
                new LinkedHashMap<>(request.getParameters().asMap());
        String state = parameters.getOrDefault("state", List.of("")).getFirst();
        String browser =
                request.getCookies().findCookie(COOKIE).map(Cookie::getValue).orElse("");
        ConsumedRequest consumed = requests.consume(name, state, browser)
                .orElseThrow(
                        () -> ApiException.badRequest(
                                "unknown_state",
                                "This sign-in was not started in this browser, is already complete, or has expired: start again."));
        try {
            return new ProviderResponse(consumed.request(), provider.identify(parameters, consumed.handshake()));
        } catch (IdentityException e) {
            throw problem(provider, e);
        }
    }

    private static ApiException problem(IdentityProvider provider, IdentityException e) {
        return switch (e.reason()) {
            case DENIED -> new ApiException(HttpStatus.FORBIDDEN, "consent_denied", e.getMessage());
            case NO_ANSWER -> ApiException.badRequest("invalid_answer", e.getMessage());
            case FAILED -> {
                LOG.atWarn()
                        .addKeyValue("provider", provider.name())
                        .addKeyValue("detail", e.detail())
                        .log("federated sign-in failed");
                yield new ApiException(HttpStatus.BAD_GATEWAY, "provider_failed", e.getMessage());
            }
        };
    }
}

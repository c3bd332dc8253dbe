package dev.parley.control.people;

import dev.parley.control.identity.Identity;
import dev.parley.control.identity.IdentityException;
import dev.parley.control.identity.IdentityProvider;
import dev.parley.control.identity.IdentityProviders;
import dev.parley.control.people.IdentityRequests.Asked;
import dev.parley.control.people.IdentityRequests.Begun;
import dev.parley.control.people.IdentityRequests.Taken;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.PublicUrl;
import io.micronaut.context.annotation.Requires;
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
@Requires(property = "parley.role.control", value = "true")
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

    /** A question. @param cookie what the browser has to keep */
    record Question(URI address, Cookie cookie) {}

    /** An answer. */
    record Answer(Asked asked, Identity identity) {}

    /** Those who may be asked. */
    List<IdentityProvider> providers() {
        return providers.all();
    }

    private IdentityProvider provider(String name) {
        return providers
                .find(name)
                .orElseThrow(() -> ApiException.notFound("unknown_provider", "There is no provider '" + name + "'"));
    }

    /** Something to ask a provider. @throws ApiException 404 where there is no such provider, 502 where it is not there */
    Question ask(Asked asked) {
        IdentityProvider provider = provider(asked.provider());
        Begun begun = requests.begin(asked);
        try {
            return new Question(provider.authorizationUrl(begun.handshake()), cookie(begun.browser()));
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
     * What a provider answers.
     *
     * @throws ApiException 400 where that answers no open question of this browser, 403 where the person did not agree, 502 where
     *     the provider does not prove who they are
     */
    Answer answer(String name, HttpRequest<?> request) {
        IdentityProvider provider = provider(name);
        Map<String, List<String>> answer =
                new LinkedHashMap<>(request.getParameters().asMap());
        String state = answer.getOrDefault("state", List.of("")).getFirst();
        String browser =
                request.getCookies().findCookie(COOKIE).map(Cookie::getValue).orElse("");
        Taken taken = requests.consume(name, state, browser)
                .orElseThrow(
                        () -> ApiException.badRequest(
                                "unknown_state",
                                "This sign-in was not started in this browser, is already complete, or has expired: start again."));
        try {
            return new Answer(taken.asked(), provider.identify(answer, taken.handshake()));
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

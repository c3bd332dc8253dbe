package dev.parley.platform.config;

import dev.parley.platform.config.secret.Secrets;
import java.net.URI;
import java.util.List;

/** An external identity provider for signing in. */
public sealed interface IdentityProviderConfig {
    /** Name in paths and identities; one word. */
    String name();

    /** Name for people. */
    String title();

    /** Client id of this installation. */
    String clientId();

    /** A {@linkplain Secrets#REFERENCE reference} to the client secret. */
    String clientSecret();

    /**
     * GitHub, or a server of GitHub Enterprise.
     *
     * @param url base URL of the sign-in pages
     * @param apiUrl base URL of the API
     */
    record GitHub(String name, String title, String clientId, String clientSecret, URI url, URI apiUrl)
            implements IdentityProviderConfig {}

    /**
     * A provider of OpenID Connect with {@code /.well-known/openid-configuration}.
     *
     * @param issuer in its tokens
     * @param scopes requested scopes, including {@code openid}
     */
    record OpenId(String name, String title, String clientId, String clientSecret, String issuer, List<String> scopes)
            implements IdentityProviderConfig {
        public OpenId {
            scopes = List.copyOf(scopes);
        }
    }
}

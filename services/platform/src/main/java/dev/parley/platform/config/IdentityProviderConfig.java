package dev.parley.platform.config;

import java.net.URI;
import java.util.List;

/** An external identity provider for signing in. */
public sealed interface IdentityProviderConfig {
    /** One word, which paths and identities have. */
    String name();

    /** What people read. */
    String title();

    /** Who we are for the provider. */
    String clientId();

    /** A reference to what proves that, as {@link Secrets#REFERENCE} has it. */
    String clientSecret();

    /**
     * GitHub, or a server of GitHub Enterprise.
     *
     * @param url where people sign in
     * @param apiUrl where its API is
     */
    record GitHub(String name, String title, String clientId, String clientSecret, URI url, URI apiUrl)
            implements IdentityProviderConfig {}

    /**
     * Whoever speaks OpenID Connect and says so under {@code /.well-known/openid-configuration}.
     *
     * @param issuer as its tokens name it
     * @param scopes what is asked for, {@code openid} among it
     */
    record OpenId(String name, String title, String clientId, String clientSecret, String issuer, List<String> scopes)
            implements IdentityProviderConfig {
        public OpenId {
            scopes = List.copyOf(scopes);
        }
    }
}

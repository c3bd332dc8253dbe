package dev.parley.platform.config;

import java.util.List;

/**
 * External sign-in: identity providers and allowed redirects.
 *
 * @param providers sorted by name
 * @param redirects allowed redirect URLs, besides paths of this server
 * @param issuers whose tokens the API accepts instead of its own keys
 */
public record SignInConfig(
        List<IdentityProviderConfig> providers, List<String> redirects, List<TokenIssuerConfig> issuers) {
    public SignInConfig {
        providers = List.copyOf(providers);
        redirects = List.copyOf(redirects);
        issuers = List.copyOf(issuers);
    }
}

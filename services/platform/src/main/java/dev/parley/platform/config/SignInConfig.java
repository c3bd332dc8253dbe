package dev.parley.platform.config;

import java.util.List;

/**
 * External sign-in: identity providers and allowed redirects.
 *
 * @param providers by name
 * @param redirects the addresses that they may be sent back to, besides paths of this server
 * @param issuers whose tokens the API takes in place of its own keys; none of anybody where it is empty
 */
public record SignInConfig(
        List<IdentityProviderConfig> providers, List<String> redirects, List<TokenIssuerConfig> issuers) {
    public SignInConfig {
        providers = List.copyOf(providers);
        redirects = List.copyOf(redirects);
        issuers = List.copyOf(issuers);
    }
}

package dev.parley.platform.config;

import java.util.List;

/**
 * How people sign in elsewhere than here.
 *
 * @param providers by name
 * @param redirects the addresses that they may be sent back to, besides paths of this server
 */
public record SignInConfig(List<IdentityProviderConfig> providers, List<String> redirects) {
    public SignInConfig {
        providers = List.copyOf(providers);
        redirects = List.copyOf(redirects);
    }
}

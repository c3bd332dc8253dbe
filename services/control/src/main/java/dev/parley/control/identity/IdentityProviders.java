package dev.parley.control.identity;

import dev.parley.platform.config.IdentityProviderConfig;
import dev.parley.platform.config.secret.Secrets;
import java.util.List;
import java.util.Optional;

/** The identity providers of the configuration. */
public final class IdentityProviders implements AutoCloseable {
    private final Transport transport = new Transport();
    private final List<IdentityProvider> all;

    public IdentityProviders(List<IdentityProviderConfig> configs, Secrets secrets) {
        all = configs.stream().map(config -> provider(config, secrets)).toList();
    }

    private IdentityProvider provider(IdentityProviderConfig config, Secrets secrets) {
        return switch (config) {
            case IdentityProviderConfig.GitHub gitHub -> new GitHub(gitHub, secrets, transport);
            case IdentityProviderConfig.OpenId openId -> new OpenId(openId, secrets, transport);
        };
    }

    /** The providers, ordered by name. */
    public List<IdentityProvider> all() {
        return all;
    }

    /** The provider of this name. */
    public Optional<IdentityProvider> find(String name) {
        return all.stream().filter(provider -> provider.name().equals(name)).findFirst();
    }

    @Override
    public void close() {
        transport.close();
    }
}

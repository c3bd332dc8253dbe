package dev.parley.agents.model;

import dev.parley.agents.model.anthropic.AnthropicProvider;
import dev.parley.agents.model.openai.OpenAiProvider;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.Secrets;
import dev.parley.domain.turn.ErrorCategory;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.ProviderConfig;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The providers that there are, by name, and what their models cost. */
public final class ModelProviders implements AutoCloseable {
    private final Map<String, ModelProvider> byName = new TreeMap<>();
    private final Prices prices;

    /** @throws IllegalArgumentException when two have the same name */
    public ModelProviders(Collection<? extends ModelProvider> providers, Prices prices) {
        this.prices = prices;
        for (ModelProvider provider : providers) {
            if (byName.put(provider.name(), provider) != null) {
                throw new IllegalArgumentException("there are two model providers '" + provider.name() + "'");
            }
        }
    }

    /**
     * The providers that are configured. They open no connection before they are called.
     *
     * @param environment where {@code env:} references are looked up
     * @param others that need no configuration
     */
    public static ModelProviders of(
            ParleyConfig config, Map<String, String> environment, BlobStore blobs, List<ModelProvider> others) {
        var secrets = Secrets.of(config, environment);
        var attachments = new Attachments(blobs);
        var configured = config.providers().stream().map(provider -> of(provider, secrets, attachments));
        return new ModelProviders(Stream.concat(configured, others.stream()).toList(), Prices.with(config.prices()));
    }

    private static ModelProvider of(ProviderConfig provider, Secrets secrets, Attachments attachments) {
        return switch (provider.kind()) {
            case "openai" -> new OpenAiProvider(provider, secrets, attachments);
            case "anthropic" -> new AnthropicProvider(provider, secrets, attachments);
            default -> throw new IllegalArgumentException("there is no kind of provider '" + provider.kind() + "'");
        };
    }

    /** The provider with this name. @throws ModelFailure naming those that there are */
    public ModelProvider get(String name) throws ModelFailure {
        ModelProvider provider = byName.get(name);
        if (provider == null) {
            throw new ModelFailure(
                    ErrorCategory.INVALID_REQUEST,
                    "no provider '" + name + "'; there are " + String.join(", ", byName.keySet()));
        }
        return provider;
    }

    Prices prices() {
        return prices;
    }

    /** Closes their connections. */
    @Override
    public void close() {
        byName.values().forEach(ModelProvider::close);
    }
}

package dev.parley.agents.model;

import dev.parley.domain.turn.ErrorCategory;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** The providers that there are, by name. */
public final class ModelProviders {
    private final Map<String, ModelProvider> byName = new TreeMap<>();

    /** @throws IllegalArgumentException when two have the same name */
    public ModelProviders(Collection<? extends ModelProvider> providers) {
        for (ModelProvider provider : providers) {
            if (byName.put(provider.name(), provider) != null) {
                throw new IllegalArgumentException("there are two model providers '" + provider.name() + "'");
            }
        }
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
}

package dev.parley.agents.model.wire;

import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.turn.Agent;
import dev.parley.domain.turn.ErrorCategory;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.config.Secrets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys that pay for calls: an agent's own, else its provider's. */
public record ProviderKeys(Secrets secrets) {

    /** The key that pays for an agent's call; null where none is needed. @throws ModelFailure of the category AUTH */
    public @Nullable String key(ProviderConfig provider, Agent agent) throws ModelFailure {
        String reference = agent.apiKeyRef() == null ? provider.apiKey() : agent.apiKeyRef();
        try {
            return reference == null ? null : secrets.get(reference);
        } catch (Secrets.MissingException e) {
            throw new ModelFailure(ErrorCategory.AUTH, String.valueOf(e.getMessage()));
        }
    }

    /** The same as the header in which most providers want it. */
    public Map<String, String> bearer(ProviderConfig provider, Agent agent) throws ModelFailure {
        String key = key(provider, agent);
        return key == null ? Map.of() : Map.of("Authorization", "Bearer " + key);
    }
}

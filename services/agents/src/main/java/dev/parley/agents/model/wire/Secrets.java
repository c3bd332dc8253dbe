package dev.parley.agents.model.wire;

import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.turn.Agent;
import dev.parley.domain.turn.ErrorCategory;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.ProviderConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keys, found by reference at the moment of a call, so that a changed file takes effect at once. Only references that the
 * operator has written are followed: whoever may change an agent may not read this process's environment.
 */
public final class Secrets {
    private static final int MOST = 16 << 10;

    private final Map<String, String> environment;
    private final Set<String> allowed;

    /** @param allowed the references that may be followed: {@code env:NAME}, {@code file:PATH} */
    public Secrets(Map<String, String> environment, Set<String> allowed) {
        this.environment = Map.copyOf(environment);
        this.allowed = Set.copyOf(allowed);
    }

    /** Those that the configuration names, for providers and agents. */
    public static Secrets of(ParleyConfig config, Map<String, String> environment) {
        var allowed = Stream.concat(
                        config.providers().stream().map(ProviderConfig::apiKey),
                        config.agents().stream().map(Agent::apiKeyRef))
                .flatMap(Stream::ofNullable)
                .collect(Collectors.toSet());
        return new Secrets(environment, allowed);
    }

    /** The secret. @throws ModelFailure of the category AUTH naming the reference, never what is behind it */
    public String get(String reference) throws ModelFailure {
        if (!allowed.contains(reference)) {
            throw missing(reference, "is not allowed by the operator's configuration");
        }
        String secret = reference.startsWith("env:")
                ? environment.get(reference.substring("env:".length()))
                : file(reference.substring("file:".length()));
        if (secret == null || secret.isBlank()) {
            throw missing(reference, "is not there or empty");
        }
        String key = secret.strip();
        if (key.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw missing(reference, "has characters that no key has");
        }
        return key;
    }

    /** The key that pays for an agent's call: the agent's own, else the provider's; null where none is needed. */
    public @Nullable String key(ProviderConfig provider, Agent agent) throws ModelFailure {
        String reference = agent.apiKeyRef() == null ? provider.apiKey() : agent.apiKeyRef();
        return reference == null ? null : get(reference);
    }

    /** The same as the header in which most providers want it. */
    public Map<String, String> bearer(ProviderConfig provider, Agent agent) throws ModelFailure {
        String key = key(provider, agent);
        return key == null ? Map.of() : Map.of("Authorization", "Bearer " + key);
    }

    private static @Nullable String file(String path) {
        try {
            Path file = Path.of(path);
            return Files.size(file) > MOST ? null : Files.readString(file);
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }

    private static ModelFailure missing(String reference, String what) {
        return new ModelFailure(ErrorCategory.AUTH, "the key %s %s".formatted(reference, what));
    }
}

package dev.parley.platform.config;

import dev.parley.domain.turn.Agent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keys and tokens, found by reference at the moment of a call, so that a changed file takes effect at once. Only references
 * that the operator has written are followed: whoever may change an agent may not read this process's environment.
 */
public final class Secrets {
    private static final int MOST = 16 << 10;

    private final Map<String, String> environment;
    private final Set<String> allowed;

    /** A reference leads nowhere; the message names the reference, never what is behind it. */
    public static final class MissingException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        MissingException(String reference, String what) {
            super("the key %s %s".formatted(reference, what));
        }
    }

    /** @param allowed the references that may be followed: {@code env:NAME}, {@code file:PATH} */
    public Secrets(Map<String, String> environment, Collection<String> allowed) {
        this.environment = Map.copyOf(environment);
        this.allowed = Set.copyOf(allowed);
    }

    /** Those that the configuration names for models. */
    public static Secrets ofProviders(ParleyConfig config, Map<String, String> environment) {
        return of(
                environment,
                Stream.concat(
                        config.providers().stream().map(ProviderConfig::apiKey),
                        config.agents().stream()
                                .map(Agent::apiKeyRef)
                                .filter(reference -> reference == null || !reference.startsWith("cred:"))));
    }

    /** Those that the configuration names for tools; it says besides where each may be sent. */
    public static Secrets ofTools(ParleyConfig config, Map<String, String> environment) {
        return new Secrets(environment, config.tools().secrets().keySet());
    }

    /** Those that the configuration names for bots. */
    public static Secrets ofBots(ParleyConfig config, Map<String, String> environment) {
        return of(environment, config.bots().stream().flatMap(bot -> Stream.of(bot.token(), bot.webhookSecret())));
    }

    /** Those that the configuration names for providers of identities, and for mail. */
    public static Secrets ofSignIn(ParleyConfig config, Map<String, String> environment) {
        var references = new ArrayList<@Nullable String>();
        config.signIn().providers().forEach(provider -> references.add(provider.clientSecret()));
        if (config.mail() != null) {
            references.add(config.mail().password());
        }
        return of(environment, references.stream());
    }

    private static Secrets of(Map<String, String> environment, Stream<@Nullable String> references) {
        return new Secrets(environment, references.flatMap(Stream::ofNullable).collect(Collectors.toSet()));
    }

    /** The secret. @throws MissingException when there is none */
    public String get(String reference) {
        if (!allowed.contains(reference)) {
            throw new MissingException(reference, "is not allowed by the operator's configuration");
        }
        String secret = reference.startsWith("env:")
                ? environment.get(reference.substring("env:".length()))
                : file(reference.substring("file:".length()));
        if (secret == null || secret.isBlank()) {
            throw new MissingException(reference, "is not there or empty");
        }
        String key = secret.strip();
        if (key.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new MissingException(reference, "has characters that no key has");
        }
        return key;
    }

    private static @Nullable String file(String path) {
        try {
            Path file = Path.of(path);
            return Files.size(file) > MOST ? null : Files.readString(file);
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }
}

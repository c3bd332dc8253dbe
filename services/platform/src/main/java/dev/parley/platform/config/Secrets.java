package dev.parley.platform.config;

import dev.parley.domain.definition.Agent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keys and tokens, found by reference at the moment of a call, so that a changed file takes effect at once, and one that a secret
 * manager has changed within a minute. Only references that the operator has written are followed: whoever may change an agent may
 * not read this process's environment.
 */
public final class Secrets {
    /** {@code env:NAME}, {@code file:PATH} or {@code vault:PATH#FIELD}. */
    public static final Pattern REFERENCE = Pattern.compile(
            "env:[A-Za-z_]\\w{0,199}|file:.{1,1000}|vault:(?<path>[\\w-]{1,100}(?:/(?!\\.)[\\w.-]{1,100}){1,10})#(?<field>[\\w.-]{1,100})");

    /** How references are written. */
    static final String FORMS = "env:NAME, file:PATH or vault:PATH#FIELD";

    /** What a reference is, for whoever wrote something else. */
    public static final String FORM = "is " + FORMS + ", never the key itself";

    private static final int MOST = 16 << 10;
    private static final Duration FRESH = Duration.ofMinutes(1);
    /** A secret manager that does not answer for a while stops nothing. */
    private static final Duration USABLE = Duration.ofMinutes(10);

    private final Map<String, String> environment;
    private final Set<String> allowed;
    private final SecretManager manager;
    private final InstantSource clock;
    private final Map<String, Kept> kept = new ConcurrentHashMap<>();

    /** What the secret manager said last. */
    private record Kept(@Nullable String secret, Instant at) {}

    /** A reference leads nowhere; the message names the reference, never what is behind it. */
    public static final class MissingException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        /** @param what of the key, such as {@code is not there} */
        public MissingException(String reference, String what) {
            super("the key %s %s".formatted(reference, what));
        }
    }

    /** @param allowed the references that may be followed, as {@link #REFERENCE} has them */
    public Secrets(Map<String, String> environment, Collection<String> allowed) {
        this(environment, allowed, new Vault(Map.copyOf(environment)), Clock.systemUTC());
    }

    Secrets(Map<String, String> environment, Collection<String> allowed, SecretManager manager, InstantSource clock) {
        this.environment = Map.copyOf(environment);
        this.allowed = Set.copyOf(allowed);
        this.manager = manager;
        this.clock = clock;
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
        var references = new ArrayList<@Nullable String>();
        config.bots().forEach(bot -> {
            references.add(bot.token().isEmpty() ? null : bot.token());
            references.add(bot.webhookSecret());
            references.addAll(bot.secrets().values());
        });
        return of(environment, references.stream());
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
        String secret = secret(reference);
        if (secret == null || secret.isBlank()) {
            throw new MissingException(reference, "is not there or empty");
        }
        String key = secret.strip();
        if (key.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new MissingException(reference, "has characters that no key has");
        }
        return key;
    }

    private @Nullable String secret(String reference) {
        if (reference.startsWith("env:")) {
            return environment.get(reference.substring("env:".length()));
        }
        return reference.startsWith("vault:") ? managed(reference) : file(reference.substring("file:".length()));
    }

    private @Nullable String managed(String reference) {
        Kept before = kept.get(reference);
        Instant now = clock.instant();
        if (before != null && now.isBefore(before.at().plus(FRESH))) {
            return before.secret();
        }
        Matcher parts = REFERENCE.matcher(reference);
        if (!parts.matches()) {
            throw new MissingException(reference, "is no path and field of a vault");
        }
        try {
            String secret = manager.read(parts.group("path"), parts.group("field"));
            kept.put(reference, new Kept(secret, now));
            return secret;
        } catch (IOException e) {
            if (before != null && now.isBefore(before.at().plus(USABLE))) {
                return before.secret();
            }
            throw new MissingException(reference, "cannot be read: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MissingException(reference, "was not read in time");
        }
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

package dev.parley.platform.config.secret;

import dev.parley.domain.definition.Agent;
import dev.parley.platform.clock.SteadyClock;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.ProviderConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * Keys and tokens, resolved by reference at each call, so that changes of a file take effect at once, and those of a
 * secret manager within a minute. Only references in the operator's configuration are resolved: a user who may change
 * an agent must not be able to read the environment of this process.
 */
public final class Secrets {
    /** {@code env:NAME}, {@code file:PATH} or {@code vault:PATH#FIELD}. */
    public static final Pattern REFERENCE = Pattern.compile(
            "env:[A-Za-z_]\\w{0,199}|file:.{1,1000}|vault:(?<path>[\\w-]{1,100}(?:/(?!\\.)[\\w.-]{1,100}){1,10})#(?<field>[\\w.-]{1,100})");

    /** The forms of references. */
    public static final String FORMS = "env:NAME, file:PATH or vault:PATH#FIELD";

    /** Error text for an invalid reference. */
    public static final String FORM = "is " + FORMS + ", never the key itself";

    private static final int MOST = 16 << 10;
    private static final Duration FRESH = Duration.ofMinutes(1);
    /** Time for which a secret is used while the secret manager does not answer. */
    private static final Duration USABLE = Duration.ofMinutes(10);

    private final Map<String, String> environment;
    private final Set<String> allowed;
    private final SecretManager manager;
    private final InstantSource clock;
    private final Map<String, Cached> cache = new ConcurrentHashMap<>();

    /** The last answer of the secret manager. */
    private record Cached(@Nullable String secret, Instant at) {}

    /** A reference cannot be resolved; the message names the reference, never the secret. */
    public static final class MissingException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        /** @param problem such as {@code is missing} */
        public MissingException(String reference, String problem) {
            this(reference, problem, null);
        }

        /** @param cause the exception behind the problem, without any secret, or null */
        public MissingException(String reference, String problem, @Nullable Throwable cause) {
            super("the key %s %s".formatted(reference, problem), cause);
        }
    }

    /** @param allowed the {@linkplain #REFERENCE references} that may be resolved */
    public Secrets(Map<String, String> environment, Collection<String> allowed) {
        this(environment, allowed, new Vault(Map.copyOf(environment)), SteadyClock.OF_PROCESS);
    }

    Secrets(Map<String, String> environment, Collection<String> allowed, SecretManager manager, InstantSource clock) {
        this.environment = Map.copyOf(environment);
        this.allowed = Set.copyOf(allowed);
        this.manager = manager;
        this.clock = clock;
    }

    /** The secrets of models in the configuration. */
    public static Secrets ofProviders(ParleyConfig config, Map<String, String> environment) {
        return of(
                environment,
                Stream.concat(
                        config.providers().stream().map(ProviderConfig::apiKey),
                        config.agents().stream()
                                .map(Agent::apiKeyRef)
                                .filter(reference -> reference == null || !reference.startsWith("cred:"))));
    }

    /** The secrets of tools in the configuration, which also has the hosts that each may be sent to. */
    public static Secrets ofTools(ParleyConfig config, Map<String, String> environment) {
        return new Secrets(environment, config.tools().secrets().keySet());
    }

    /** The secrets of bots in the configuration. */
    public static Secrets ofBots(ParleyConfig config, Map<String, String> environment) {
        var references = new ArrayList<@Nullable String>();
        config.bots().forEach(bot -> {
            references.add(bot.token().isEmpty() ? null : bot.token());
            references.add(bot.webhookSecret());
            references.addAll(bot.secrets().values());
        });
        return of(environment, references.stream());
    }

    /** The secrets of identity providers and mail in the configuration. */
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

    /**
     * Resolves a reference.
     *
     * @throws MissingException if that is not possible
     */
    public String get(String reference) {
        if (!allowed.contains(reference)) {
            throw new MissingException(reference, "is not allowed by the operator's configuration");
        }
        String secret = secret(reference);
        if (secret == null || secret.isBlank()) {
            throw new MissingException(reference, "is missing or empty");
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
        return reference.startsWith("vault:")
                ? fromManager(reference)
                : fromFile(reference.substring("file:".length()));
    }

    private @Nullable String fromManager(String reference) {
        Cached before = cache.get(reference);
        Instant now = clock.instant();
        if (before != null && now.isBefore(before.at().plus(FRESH))) {
            return before.secret();
        }
        try {
            String secret = readFromManager(reference);
            cache.put(reference, new Cached(secret, now));
            return secret;
        } catch (IOException e) {
            if (before != null && now.isBefore(before.at().plus(USABLE))) {
                return before.secret();
            }
            throw new MissingException(reference, "cannot be read: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MissingException(reference, "was not read in time");
        }
    }

    private @Nullable String readFromManager(String reference) throws IOException, InterruptedException {
        Matcher parts = REFERENCE.matcher(reference);
        if (!parts.matches()) {
            throw new MissingException(reference, "is not a path and field of a vault");
        }
        return manager.read(parts.group("path"), parts.group("field"));
    }

    private static @Nullable String fromFile(String path) {
        try {
            Path file = Path.of(path);
            return Files.size(file) > MOST ? null : Files.readString(file);
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }
}

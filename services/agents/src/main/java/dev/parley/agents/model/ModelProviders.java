package dev.parley.agents.model;

import dev.parley.agents.budget.Estimate;
import dev.parley.agents.model.anthropic.AnthropicProvider;
import dev.parley.agents.model.chat.ChatProvider;
import dev.parley.agents.model.openai.OpenAiProvider;
import dev.parley.agents.model.openai.OpenAiTranscriber;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.ProviderKeys;
import dev.parley.agents.model.wire.StoredKeys;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.ConfigException;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.worker.Cancellation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The model providers by name, with their circuit breakers, rate limits and prices. */
public final class ModelProviders implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModelProviders.class);

    private final Map<String, ModelProvider> byName = new TreeMap<>();
    private final Map<String, ProviderCircuitBreaker> breakers = new HashMap<>();
    private final Recordings recordings;
    private final Prices prices;

    /**
     * @param recordings answers requests for transcripts
     * @param perMinute maximum calls of a host per minute, by provider; the other providers have no limit
     * @throws IllegalArgumentException when two have the same name
     */
    public ModelProviders(
            Collection<? extends ModelProvider> providers,
            Recordings recordings,
            Prices prices,
            Map<String, Integer> perMinute) {
        this(providers, recordings, prices, perMinute, ProviderCircuitBreaker.OPEN_DURATION);
    }

    /** @param openDuration time for which a circuit breaker stays open */
    ModelProviders(
            Collection<? extends ModelProvider> providers,
            Recordings recordings,
            Prices prices,
            Map<String, Integer> perMinute,
            Duration openDuration) {
        this.recordings = recordings;
        this.prices = prices;
        for (ModelProvider provider : providers) {
            String name = provider.name();
            breakers.put(name, new ProviderCircuitBreaker(perMinute.get(name), openDuration));
            if (byName.put(name, provider) != null) {
                throw new IllegalArgumentException("duplicate model provider '" + name + "'");
            }
        }
    }

    /**
     * The configured providers. They open no connection before the first call.
     *
     * @param environment the variables that {@code env:} references name
     * @param stored the keys of users and hosts
     * @param others providers without configuration
     * @param directory has the prices that hosts have set
     */
    public static ModelProviders of(
            ParleyConfig config,
            Map<String, String> environment,
            StoredKeys stored,
            BlobStore blobs,
            List<ModelProvider> others,
            List<Transcriber> otherTranscribers,
            AccessDirectory directory) {
        var keys = new ProviderKeys(Secrets.ofProviders(config, environment), stored);
        var configured = ofConfig(config, keys, blobs);
        var perMinute = new HashMap<String, Integer>();
        for (ProviderConfig provider : config.providers()) {
            if (provider.callsPerMinute() != null) {
                perMinute.put(provider.name(), provider.callsPerMinute());
            }
        }
        var providers = Stream.concat(configured.stream(), others.stream()).toList();
        Prices prices = Prices.with(config.prices(), directory);
        config.agents().forEach(agent -> warnOfUnknownPrice(agent, prices));
        var transcribers = Stream.concat(transcribers(config, keys), otherTranscribers.stream())
                .toList();
        return new ModelProviders(providers, new Recordings(transcribers, blobs), prices, perMinute);
    }

    private static Stream<Transcriber> transcribers(ParleyConfig config, ProviderKeys keys) {
        return config.providers().stream()
                .filter(ProviderConfig::listens)
                .map(provider -> new OpenAiTranscriber(provider, keys));
    }

    /**
     * Validates the settings that are specific to providers.
     *
     * @throws ConfigException naming the provider and the error
     */
    public static void check(ParleyConfig config) {
        var keys = new ProviderKeys(Secrets.ofProviders(config, Map.of()));
        ofConfig(config, keys, new BlobStore(config.blobs(), 0)).forEach(ModelProvider::close);
        Map<String, String> kinds =
                config.providers().stream().collect(Collectors.toMap(ProviderConfig::name, ProviderConfig::kind));
        config.agents().forEach(agent -> check(agent, kinds.getOrDefault(agent.provider(), "")));
    }

    private static void check(Agent agent, String kind) {
        try {
            if (kind.equals("openai")) {
                OpenAiProvider.check(agent);
            }
        } catch (IllegalArgumentException e) {
            throw new ConfigException("agents", "the agent '%s': %s".formatted(agent.name(), e.getMessage()), e);
        }
    }

    private static List<ModelProvider> ofConfig(ParleyConfig config, ProviderKeys keys, BlobStore blobs) {
        var attachments = new Attachments(blobs);
        return config.providers().stream()
                .map(provider -> of(provider, keys, attachments))
                .toList();
    }

    /** A limit on the cost of a session is not enforced once a call has no price. */
    private static void warnOfUnknownPrice(Agent agent, Prices prices) {
        boolean free = agent.provider().equals("scripted");
        if (agent.limits().sessionCostNanos() != null && !free && !prices.know(agent.provider(), agent.model())) {
            LOG.warn(
                    "the cost limit of the agent '{}' cannot be enforced: {}/{} has no price; set one in parley.yml, or with PUT /v1/prices",
                    agent.name(),
                    agent.provider(),
                    agent.model());
        }
    }

    private static ModelProvider of(ProviderConfig provider, ProviderKeys keys, Attachments attachments) {
        try {
            return switch (provider.kind()) {
                case "openai" -> new OpenAiProvider(provider, keys, attachments);
                case "openai-chat" -> new ChatProvider(provider, keys, attachments);
                case "anthropic" -> new AnthropicProvider(provider, keys, attachments);
                default -> throw new IllegalArgumentException("unknown kind of provider '" + provider.kind() + "'");
            };
        } catch (IllegalArgumentException e) {
            throw new ConfigException("providers." + provider.name(), String.valueOf(e.getMessage()), e);
        }
    }

    /** An upper estimate of the usage of a call. */
    Estimate estimate(ModelRequest request) {
        return Estimates.of(request, prices);
    }

    /** The time that a host has to wait before it may call this agent's model; empty if it may now. */
    Optional<Duration> pause(Agent agent, UUID host) {
        ProviderCircuitBreaker breaker = breakers.get(agent.provider());
        return breaker == null ? Optional.empty() : breaker.pause(host, agent.model());
    }

    /**
     * Makes a call with the provider that its agent names.
     *
     * @return the answer, with its cost if known
     * @throws ModelFailure also when the circuit breaker is open
     */
    public ModelAnswer call(ModelRequest request, ModelStream stream, Cancellation cancellation)
            throws ModelFailure, InterruptedException {
        String name = request.agent().provider();
        ModelProvider provider = byName.get(name);
        ProviderCircuitBreaker breaker = breakers.get(name);
        if (provider == null || breaker == null) {
            throw unknownProvider(name);
        }
        ProviderCircuitBreaker.Permit permit = breaker.permit(request.agent().model())
                .orElseThrow(() -> CallDeferred.circuitOpen(name, breaker.retryDelay()));
        try {
            ModelAnswer answer = request.purpose() == ModelRequest.Purpose.TRANSCRIPT
                    ? recordings.transcribe(request, cancellation)
                    : provider.call(request, new ActivityTrackingStream(stream, permit::onAnswered), cancellation);
            permit.onAnswered();
            return answer.withUsage(prices.addCost(request.host(), answer.usage(), name, answer.model()));
        } catch (ModelFailure e) {
            permit.onFailed(e.category());
            throw e;
        } finally {
            permit.release();
        }
    }

    private ModelFailure unknownProvider(String name) {
        return new ModelFailure(
                ErrorCategory.INVALID_REQUEST,
                "no provider '" + name + "'; there are " + String.join(", ", byName.keySet()));
    }

    /** Transcribes one recording. */
    Transcriber.Transcription transcribe(
            Agent agent, CallOwner owner, Block.File recording, Path bytes, Cancellation cancellation)
            throws ModelFailure, InterruptedException {
        return recordings.of(agent).transcribe(agent, owner, recording, bytes, cancellation);
    }

    /** Closes all connections. */
    @Override
    public void close() {
        byName.values().forEach(ModelProvider::close);
        recordings.close();
    }
}

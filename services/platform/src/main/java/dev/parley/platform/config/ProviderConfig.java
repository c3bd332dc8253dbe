package dev.parley.platform.config;

import dev.parley.platform.config.secret.Secrets;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A model provider.
 *
 * @param name the part of {@code provider/model} before the slash
 * @param kind its protocol: {@code openai}, {@code openai-chat} or {@code anthropic}
 * @param baseUrl base URL of its API
 * @param apiKey a {@linkplain Secrets#REFERENCE reference} to its key, or null if it needs none
 * @param headers sent with every request
 * @param proxy an HTTP proxy, {@code http://[user:password@]host:port}, or null
 * @param callsPerMinute limit for each host, or null for none
 * @param options of its kind, see docs/models.md
 */
public record ProviderConfig(
        String name,
        String kind,
        URI baseUrl,
        @Nullable String apiKey,
        Map<String, String> headers,
        @Nullable URI proxy,
        Timeouts timeouts,
        @Nullable Integer callsPerMinute,
        Map<String, String> options) {

    public ProviderConfig {
        headers = Map.copyOf(headers);
        options = Map.copyOf(options);
    }

    /** Whether the provider has models that transcribe recordings. */
    public boolean listens() {
        return kind.startsWith("openai");
    }

    /** Without the proxy, whose address may contain a password. */
    @Override
    public String toString() {
        return "ProviderConfig[name=" + name + ", kind=" + kind + ", baseUrl=" + baseUrl + "]";
    }

    /**
     * Timeouts of a call.
     *
     * @param connect until the connection is established
     * @param firstToken from the request to the first event with content; reasoning models think first
     * @param idle between two events of an answer
     * @param total of the whole call; the deadline of the turn may end it earlier
     */
    public record Timeouts(Duration connect, Duration firstToken, Duration idle, Duration total) {
        public static final Timeouts DEFAULT = new Timeouts(
                Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofMinutes(5), Duration.ofMinutes(30));
    }
}

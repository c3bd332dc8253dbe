package dev.parley.platform.config;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A model provider.
 *
 * @param name what agents call it: the part of {@code provider/model} before the slash
 * @param kind how it is spoken to: {@code openai}, {@code openai-chat} or {@code anthropic}
 * @param baseUrl what paths are added to
 * @param apiKey a reference to its key, as {@link Secrets#REFERENCE} has it, or null where it needs none
 * @param headers sent with every request
 * @param proxy an HTTP proxy, {@code http://[user:password@]host:port}, or null
 * @param callsPerMinute that one host may make, or null for any number
 * @param options what its kind knows besides; docs/models.md has them
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

    /** Whether it has models that write down recordings. */
    public boolean listens() {
        return kind.startsWith("openai");
    }

    /** A password in the proxy's address is not shown. */
    @Override
    public String toString() {
        return "ProviderConfig[name=" + name + ", kind=" + kind + ", baseUrl=" + baseUrl + "]";
    }

    /**
     * How long each part of a call may take.
     *
     * @param connect until there is a connection
     * @param firstToken from the request to the first event that says something; reasoning models think first
     * @param idle between two events of an answer
     * @param total the whole call; a turn's own deadline may end it before
     */
    public record Timeouts(Duration connect, Duration firstToken, Duration idle, Duration total) {
        public static final Timeouts DEFAULT = new Timeouts(
                Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofMinutes(5), Duration.ofMinutes(30));
    }
}

package dev.parley.platform.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names of the server, the proxies in front of it, and limits of its clients.
 *
 * @param hosts further names by which clients call the server, besides the public URL and loopback names
 * @param trustedProxies addresses and networks of proxies whose headers about clients are believed
 * @param hsts seconds for which browsers use TLS only, where the public URL does; 0 for no such header
 * @param corsOrigins origins whose pages may call the server with a key; none by default
 * @param publicRegistry whether schemas are read without a key; null if only from this machine
 * @param limits what clients may hold
 */
public record HttpConfig(
        List<String> hosts,
        List<String> trustedProxies,
        int hsts,
        List<String> corsOrigins,
        @Nullable Boolean publicRegistry,
        LimitsConfig limits) {
    /** A year. */
    public static final int HSTS = 31_536_000;

    public HttpConfig {
        hosts = List.copyOf(hosts);
        trustedProxies = List.copyOf(trustedProxies);
        corsOrigins = List.copyOf(corsOrigins);
    }

    /**
     * Whether schemas are read without a key.
     *
     * @param isLocal whether the server is only reachable from this machine
     */
    public boolean isRegistryPublic(boolean isLocal) {
        return publicRegistry == null ? isLocal : publicRegistry;
    }

    /** Micronaut's settings: pages of these origins may call with a key, never with the cookie of our own pages. */
    public Map<String, Object> corsProperties() {
        String named = "micronaut.server.cors.configurations.named.";
        return corsOrigins.isEmpty()
                ? Map.of()
                : Map.of(
                        "micronaut.server.cors.enabled",
                        true,
                        named + "allowed-origins",
                        corsOrigins,
                        named + "allow-credentials",
                        false,
                        named + "exposed-headers",
                        List.of("x-request-id", "Retry-After", "Parley-Session", "Parley-Turn"));
    }
}

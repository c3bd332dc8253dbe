package dev.parley.platform.http;

import dev.parley.platform.http.limit.BodySize;
import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.context.ApplicationContextConfigurer;
import io.micronaut.context.annotation.ContextConfigurer;
import io.micronaut.context.env.MapPropertySource;
import java.util.Map;

/** Defaults of the HTTP configuration. */
@ContextConfigurer
public final class HttpDefaults implements ApplicationContextConfigurer {
    /** Maximum size of a request in bytes; routes have their own limits below it. */
    public static final int MAX_REQUEST = BodySize.FILES.bytes();

    private static final int LOWEST_PRIORITY = -1_000;

    @Override
    public void configure(ApplicationContextBuilder builder) {
        builder.propertySources(new MapPropertySource("http-defaults", settings()) {
            @Override
            public int getOrder() {
                return LOWEST_PRIORITY;
            }
        });
    }

    private static Map<String, Object> settings() {
        return Map.ofEntries(
                Map.entry("micronaut.server.max-request-size", MAX_REQUEST),
                Map.entry("micronaut.server.max-request-buffer-size", MAX_REQUEST),
                // For streams and slow responses; HttpConnection ends what waits for a client.
                Map.entry("micronaut.server.idle-timeout", "15m"),
                Map.entry("micronaut.server.read-idle-timeout", "15m"),
                Map.entry("micronaut.server.write-idle-timeout", "15m"),
                // Compressed bodies have no length that could be limited.
                Map.entry("micronaut.server.netty.request-decompression-enabled", false),
                // Netty waits this long for more work before its threads end, when the process serves no requests.
                Map.entry("micronaut.server.netty.parent.shutdown-quiet-period", "0s"),
                // As JsonMappers.bodies(): a list without elements is a list, for each client that reads it.
                Map.entry("micronaut.serde.serialization.inclusion", "ALWAYS"),
                Map.entry("micronaut.security.authentication", "bearer"),
                Map.entry("endpoints.all.enabled", false),
                Map.entry("endpoints.prometheus.enabled", true),
                Map.entry("endpoints.prometheus.sensitive", false));
    }
}

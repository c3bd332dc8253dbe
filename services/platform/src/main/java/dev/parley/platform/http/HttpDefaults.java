package dev.parley.platform.http;

import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.context.ApplicationContextConfigurer;
import io.micronaut.context.annotation.ContextConfigurer;
import io.micronaut.context.env.MapPropertySource;
import java.util.Map;

/** Defaults of the HTTP configuration. */
@ContextConfigurer
public final class HttpDefaults implements ApplicationContextConfigurer {
    /** Maximum size of a request in bytes. */
    public static final int MAX_REQUEST = 16 << 20;

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
        return Map.of(
                "micronaut.server.max-request-size",
                MAX_REQUEST,
                "micronaut.server.max-request-buffer-size",
                MAX_REQUEST,
                "micronaut.server.idle-timeout",
                "15m",
                "micronaut.server.read-idle-timeout",
                "15m",
                "micronaut.server.write-idle-timeout",
                "15m",
                // Netty waits this long for more work before its threads end, when the process serves no requests.
                "micronaut.server.netty.parent.shutdown-quiet-period",
                "0s",
                "micronaut.security.authentication",
                "bearer",
                "endpoints.all.enabled",
                false,
                "endpoints.prometheus.enabled",
                true,
                "endpoints.prometheus.sensitive",
                false);
    }
}

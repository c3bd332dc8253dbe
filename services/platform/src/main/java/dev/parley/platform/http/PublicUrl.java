package dev.parley.platform.http;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.runtime.server.EmbeddedServer;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.net.URI;

/**
 * The external URL of this server, as configured by the operator and never taken from a request. Without it, the
 * listening address, which is reachable from this machine only.
 */
@Singleton
@Requires(property = "parley.admin-key")
public final class PublicUrl {
    private final String set;
    private final String bind;
    private final Provider<EmbeddedServer> server;

    PublicUrl(
            @Value("${parley.url:}") String set,
            @Value("${parley.bind:127.0.0.1}") String bind,
            Provider<EmbeddedServer> server) {
        this.set = set;
        this.bind = bind;
        this.server = server;
    }

    /** Where a path is. */
    public URI of(String path) {
        return URI.create((set.isEmpty() ? listening() : set.replaceAll("/+$", "")) + path);
    }

    private String listening() {
        String host = bind.contains(":") ? "[" + bind + "]" : bind;
        return "http://" + host + ":" + server.get().getPort();
    }

    /** Whether browsers come here by TLS. */
    public boolean isSecure() {
        return "https".equals(of("/").getScheme());
    }
}

package dev.parley.platform.http.network;

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
    private final String configured;
    private final String bind;
    private final Provider<EmbeddedServer> server;

    PublicUrl(
            @Value("${parley.url:}") String configured,
            @Value("${parley.bind:127.0.0.1}") String bind,
            Provider<EmbeddedServer> server) {
        this.configured = configured;
        this.bind = bind;
        this.server = server;
    }

    /** The URL of a path. */
    public URI of(String path) {
        return URI.create((configured.isEmpty() ? listeningUrl() : configured.replaceAll("/+$", "")) + path);
    }

    private String listeningUrl() {
        return "http://" + Network.hostOfUrl(bind) + ":" + server.get().getPort();
    }

    /** Whether browsers use TLS. */
    public boolean isSecure() {
        return "https".equals(of("/").getScheme());
    }
}

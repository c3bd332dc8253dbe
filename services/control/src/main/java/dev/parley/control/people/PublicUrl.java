package dev.parley.control.people;

import dev.parley.platform.config.ParleyConfig;
import io.micronaut.context.annotation.Requires;
import io.micronaut.runtime.server.EmbeddedServer;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.net.URI;

/**
 * Where others find this server: as the operator says, never as a request says. Without that, where it listens, which only
 * this machine finds.
 */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class PublicUrl {
    private final ParleyConfig config;
    private final Provider<EmbeddedServer> server;

    PublicUrl(ParleyConfig config, Provider<EmbeddedServer> server) {
        this.config = config;
        this.server = server;
    }

    /** Where a path of the API is. */
    URI of(String path) {
        String set = config.url();
        return URI.create((set == null ? listening() : set.replaceAll("/+$", "")) + path);
    }

    private String listening() {
        String bind = config.bind();
        String host = bind.contains(":") ? "[" + bind + "]" : bind;
        return "http://" + host + ":" + server.get().getPort();
    }

    /** Whether browsers come here by TLS. */
    boolean isSecure() {
        return "https".equals(of("/").getScheme());
    }
}

package dev.parley.platform.api;

import dev.parley.platform.config.ProcessRole;
import dev.parley.platform.http.network.Network;
import dev.parley.platform.http.network.PublicUrl;
import io.micronaut.context.annotation.Value;
import io.micronaut.context.env.Environment;
import io.micronaut.runtime.server.EmbeddedServer;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Location and roles of the API: this process, or the public URL if this process does not have all roles. It is used
 * over HTTP in either case, so that all requests are authorised alike.
 */
@Singleton
public final class OwnApi {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    private final String bind;
    private final PublicUrl url;
    private final boolean isElsewhere;
    private final Provider<EmbeddedServer> embedded;
    private final Set<String> roles;

    OwnApi(
            @Value("${parley.bind:127.0.0.1}") String bind,
            @Value("${parley.url:}") String configuredUrl,
            PublicUrl url,
            Environment environment,
            Provider<EmbeddedServer> embedded) {
        this.bind = bind;
        this.url = url;
        this.embedded = embedded;
        Set<String> allRoles =
                Arrays.stream(ProcessRole.values()).map(ProcessRole::code).collect(Collectors.toSet());
        Set<String> localRoles = Set.copyOf(environment.getPropertyEntries("parley.role"));
        this.isElsewhere = !configuredUrl.isEmpty() && !localRoles.containsAll(allRoles);
        this.roles = isElsewhere ? allRoles : localRoles;
    }

    /** The roles of the processes behind the API; operations of other roles are unavailable. */
    public Set<String> roles() {
        return roles;
    }

    /** The API on behalf of a caller. */
    public Api of(Api.Identity caller) {
        return new Api(http, isElsewhere ? url.of("") : ownUrl(), caller);
    }

    private URI ownUrl() {
        return URI.create(
                "http://" + Network.hostOfUrl(bind) + ":" + embedded.get().getPort());
    }

    @PreDestroy
    void close() {
        http.shutdownNow();
    }
}

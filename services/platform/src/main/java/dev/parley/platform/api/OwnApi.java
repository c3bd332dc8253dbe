package dev.parley.platform.api;

import dev.parley.platform.config.ProcessRole;
import dev.parley.platform.http.PublicUrl;
import io.micronaut.context.annotation.Value;
import io.micronaut.context.env.Environment;
import io.micronaut.runtime.server.EmbeddedServer;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where the API is, and what of it there is: this very process, or, where that has not all roles and there is a public URL, what answers
 * there. It is reached over HTTP in any case, so that the API decides as it does for everybody.
 */
@Singleton
public final class OwnApi {
    private static final Duration CONNECTED = Duration.ofSeconds(5);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECTED)
            .build();
    private final String bind;
    private final PublicUrl url;
    private final boolean isElsewhere;
    private final Provider<EmbeddedServer> embedded;
    private final Set<String> roles;

    OwnApi(
            @Value("${parley.bind:127.0.0.1}") String bind,
            @Value("${parley.url:}") String set,
            PublicUrl url,
            Environment environment,
            Provider<EmbeddedServer> embedded) {
        this.bind = bind;
        this.url = url;
        this.embedded = embedded;
        Set<String> all =
                Arrays.stream(ProcessRole.values()).map(ProcessRole::code).collect(Collectors.toSet());
        Set<String> here = Set.copyOf(environment.getPropertyEntries("parley.role"));
        this.isElsewhere = !set.isEmpty() && !here.containsAll(all);
        this.roles = isElsewhere ? all : here;
    }

    /** The roles of the processes that answer: what needs others is not there. */
    public Set<String> roles() {
        return roles;
    }

    /** The API in the name of a caller. */
    public Api of(Api.Identity caller) {
        return new Api(http, isElsewhere ? url.of("") : own(), caller);
    }

    private URI own() {
        String host = isAny(bind) ? (bind.contains(":") ? "::1" : "127.0.0.1") : bind;
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + embedded.get().getPort());
    }

    private static boolean isAny(String bind) {
        try {
            return InetAddress.getByName(bind).isAnyLocalAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    @PreDestroy
    void close() {
        http.shutdownNow();
    }
}

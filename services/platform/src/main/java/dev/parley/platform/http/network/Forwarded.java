package dev.parley.platform.http.network;

import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the client of a request: its connection, or what {@linkplain TrustedProxies trusted proxies} say.
 *
 * @param client address of the client
 * @param scheme {@code http} or {@code https} as the nearest trusted proxy says, or null
 * @param hosts names by which the client called the server as trusted proxies say, the nearest one's last
 */
record Forwarded(InetAddress client, @Nullable String scheme, List<String> hosts) {
    Forwarded {
        hosts = List.copyOf(hosts);
    }

    /** A client without proxies. */
    static Forwarded none(InetAddress client) {
        return new Forwarded(client, null, List.of());
    }
}

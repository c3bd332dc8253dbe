package dev.parley.mcp;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The allowed origins: those of this server. Protects against DNS rebinding, where {@code Origin} and {@code Host} name
 * another site. Clients other than browsers send no origin.
 *
 * @param local whether the server is reachable from this machine only; then loopback hosts are allowed
 * @param url the public URL, or empty
 * @param bind the address that it listens on
 */
record Origins(boolean local, String url, String bind) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /** The reason for refusing a request, or null. */
    @Nullable
    String fault(@Nullable String host, @Nullable String origin) {
        if (local && (host == null || !isOwn(name(host)))) {
            return "The header Host does not name this server; set PARLEY_URL to the URL by which it is reached.";
        }
        return origin == null || isOwn(origin) ? null : "The header Origin names a page of another site.";
    }

    private boolean isOwn(@Nullable URI origin) {
        if (origin == null || origin.getHost() == null || origin.getRawUserInfo() != null) {
            return false;
        }
        String host = origin.getHost().toLowerCase(Locale.ROOT);
        return LOOPBACK.contains(host) && local
                || isPublic(origin)
                || host.equals(bind)
                || host.equals("[" + bind + "]");
    }

    private boolean isOwn(String origin) {
        return isOwn(parse(origin));
    }

    /** Whether host and port are those of the public URL, with any scheme. */
    private boolean isPublic(URI origin) {
        URI set = url.isEmpty() ? null : parse(url);
        return set != null
                && set.getHost() != null
                && set.getHost().equalsIgnoreCase(origin.getHost())
                && (origin.getScheme().equals("host") || port(set) == port(origin));
    }

    private static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : "https".equals(uri.getScheme()) ? 443 : 80;
    }

    private static @Nullable URI name(String host) {
        return parse("host://" + host);
    }

    private static @Nullable URI parse(String text) {
        try {
            URI uri = URI.create(text.strip());
            return uri.getScheme() == null ? null : uri;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}

package dev.parley.mcp;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The allowed origins: those of this server. Clients other than browsers send none.
 *
 * @param local whether the server is reachable from this machine only; then pages of loopback hosts are allowed
 * @param url the public URL, or empty
 * @param bind the address that it listens on
 */
record Origins(boolean local, String url, String bind) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /** The reason for refusing a request, or null. */
    @Nullable
    String fault(@Nullable String origin) {
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

    /** Whether host and port are those of the public URL. */
    private boolean isPublic(URI origin) {
        URI set = url.isEmpty() ? null : parse(url);
        return set != null
                && set.getHost() != null
                && set.getHost().equalsIgnoreCase(origin.getHost())
                && port(set) == port(origin);
    }

    private static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : "https".equals(uri.getScheme()) ? 443 : 80;
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

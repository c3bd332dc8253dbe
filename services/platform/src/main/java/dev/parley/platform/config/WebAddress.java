package dev.parley.platform.config;

import dev.parley.platform.http.network.Network;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Validates URLs that receive secrets or to which people are redirected. */
final class WebAddress {
    private WebAddress() {}

    /** A base URL: without a slash at the end, a query or a fragment. */
    static URI base(String path, String text) {
        URI url = parseOrNull(text.replaceAll("/+$", ""));
        if (url == null || !isWeb(url) || url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new ConfigException(path, "is a URL such as https://example.com, without user, password and query");
        }
        return url;
    }

    /** A base URL that receives secrets: https, except on this machine. */
    static URI secureBase(String path, String text) {
        URI url = base(path, text);
        requireSecure(path, url);
        return url;
    }

    /** A redirect URL, which must not have a fragment. */
    static URI redirect(String path, String text) {
        URI url = parseOrNull(text);
        boolean app = url != null && url.getScheme() != null && url.getScheme().contains(".");
        if (url == null || url.getRawFragment() != null || !(app || isWeb(url))) {
            throw new ConfigException(
                    path, "is https://…, or the scheme of an application such as com.example.app:/signed-in");
        }
        if (!app) {
            requireSecure(path, url);
        }
        return url;
    }

    static boolean isWeb(URI url) {
        return ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
                && url.getHost() != null
                && url.getRawUserInfo() == null;
    }

    private static void requireSecure(String path, URI url) {
        if ("http".equals(url.getScheme()) && !isLoopback(url.getHost())) {
            throw new ConfigException(path, "begins with https://, unless it is on this machine");
        }
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || (host.matches("[\\[\\d][\\d.:\\]]*") && Network.isLoopback(host));
    }

    static @Nullable URI parseOrNull(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}

package dev.parley.platform.http.network;

import dev.parley.platform.http.Authority;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.IDN;
import java.net.InetAddress;
import java.net.URI;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names by which this server may be called: those of the loopback interface, the host of the public URL, the
 * address that it listens on, further names of the operator, and the address that a connection arrived at, which probes
 * and other machines of the network use. No web page of another site can have one of these. Ports are not compared,
 * since port forwarding changes them.
 */
@Singleton
public final class ServerNames {
    private static final String LOCALHOST = "localhost";

    /** Names that the operator lists, whose pages are trusted with any port. */
    private final Set<String> further;

    /** The hosts of the public URL and of the address that the server listens on. */
    private final Set<String> own = new HashSet<>();

    private final @Nullable URI url;

    @Inject
    ServerNames(
            @Value("${parley.bind:127.0.0.1}") String bind,
            @Value("${parley.url:}") String url,
            @Value("${parley.hosts:}") String names) {
        this.url = url.isBlank() ? null : URI.create(url.strip());
        String host = this.url == null ? null : this.url.getHost();
        if (host != null) {
            own.add(normal(host));
        }
        this.further = Stream.of(names.split("[,\\s]+"))
                .filter(name -> !name.isEmpty())
                .map(ServerNames::normal)
                .collect(Collectors.toUnmodifiableSet());
        boolean everywhere = TrustedProxies.address(bind)
                .filter(InetAddress::isAnyLocalAddress)
                .isPresent();
        if (!everywhere) {
            own.add(normal(bind));
        }
    }

    /**
     * A configured name as requests have it: in lower case and Punycode, without brackets.
     *
     * @throws IllegalArgumentException if it is not a host name without port, or an address
     */
    public static String normal(String name) {
        String host = name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
        boolean six = host.indexOf(':') >= 0;
        String ascii = six ? "[" + host + "]" : IDN.toASCII(host, IDN.ALLOW_UNASSIGNED);
        return Authority.parse(ascii.toLowerCase(Locale.ROOT))
                .orElseThrow(() -> new IllegalArgumentException("not a host name: " + name))
                .host();
    }

    /**
     * Whether a client may call the server by this name.
     *
     * @param local the address that the connection arrived at
     */
    boolean has(Authority name, InetAddress local) {
        Optional<InetAddress> address = name.address();
        return name.host().equals(LOCALHOST)
                || address.filter(InetAddress::isLoopbackAddress).isPresent()
                || address.filter(local::equals).isPresent()
                || own.contains(name.host())
                || further.contains(name.host());
    }

    /**
     * Whether a page with this origin may act for its user: it is of the server that it calls, of the public URL, or of
     * a name that the operator configured.
     *
     * @param called the name in the request
     */
    boolean isOwn(String origin, Authority called) {
        int scheme = origin.indexOf("://");
        Optional<Authority> page = scheme < 0 ? Optional.empty() : Authority.parse(origin.substring(scheme + 3));
        return page.filter(from -> isOwn(origin.substring(0, scheme), from, called))
                .isPresent();
    }

    private boolean isOwn(String scheme, Authority page, Authority called) {
        if (!scheme.equals("http") && !scheme.equals("https")) {
            return false;
        }
        return page.host().equals(called.host()) && page.port(scheme) == called.port(scheme)
                || further.contains(page.host())
                || isOfUrl(page) && samePort(scheme, page);
    }

    private boolean isOfUrl(Authority page) {
        return url != null && url.getHost() != null && normal(url.getHost()).equals(page.host());
    }

    private boolean samePort(String scheme, Authority page) {
        return url != null
                && scheme.equals(url.getScheme())
                && new Authority(page.host(), url.getPort()).port(scheme) == page.port(scheme);
    }
}

package dev.parley.platform.http.network;

import io.micronaut.http.HttpHeaders;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The proxies whose headers are believed: {@code X-Forwarded-For}, {@code -Proto} and {@code -Host}, or
 * {@code Forwarded} (RFC 7239). Each proxy appends what it saw, so the client is the rightmost address that is not one
 * of them; everything left of it is the client's own claim. A proxy maintains one of the two headers and may pass the
 * other one on as the client sent it, so where they disagree, neither is believed.
 */
public record TrustedProxies(List<Network> networks) {
    private static final int MAX_LENGTH = 2_000;
    private static final Pattern ELEMENT_END = Pattern.compile(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)");
    private static final Pattern PAIR =
            Pattern.compile("(?i)(?:^|;)\\s*(for|proto|host)\\s*=\\s*(?:\"([^\"\\\\]*)\"|([^\\s;,\"]*))");
    private static final Pattern BRACKETS = Pattern.compile("\\[([^]]*)](?::\\d{1,5})?");
    private static final Pattern FOUR_AND_PORT = Pattern.compile("(\\d+(?:\\.\\d+){3}):\\d{1,5}");

    public TrustedProxies {
        networks = List.copyOf(networks);
    }

    /**
     * Reads addresses and networks separated by commas or spaces.
     *
     * @throws IllegalArgumentException if one is neither
     */
    static TrustedProxies parse(String text) {
        return new TrustedProxies(Stream.of(text.split("[,\\s]+"))
                .filter(part -> !part.isEmpty())
                .map(Network::of)
                .toList());
    }

    /** What is known of the client of a connection that sent these headers. */
    Forwarded read(InetAddress peer, HttpHeaders headers) {
        if (!has(peer)) {
            return Forwarded.none(peer);
        }
        Elements standard = Elements.of(joined(headers, "Forwarded"));
        List<String> addresses = list(headers, "X-Forwarded-For");
        var hosts = new ArrayList<>(standard.hosts());
        hosts.addAll(list(headers, "X-Forwarded-Host"));
        List<String> schemes = list(headers, "X-Forwarded-Proto");
        String scheme = schemes.isEmpty() ? standard.scheme() : schemes.getLast();
        return new Forwarded(
                client(peer, addresses, standard.addresses()),
                scheme == null ? null : scheme.toLowerCase(Locale.ROOT),
                hosts);
    }

    private InetAddress client(InetAddress peer, List<String> addresses, List<String> standard) {
        if (addresses.isEmpty() || standard.isEmpty()) {
            return client(peer, addresses.isEmpty() ? standard : addresses);
        }
        InetAddress one = client(peer, addresses);
        return one.equals(client(peer, standard)) ? one : peer;
    }

    /** The rightmost address that is no proxy; the last proxy that is known where an entry is not an address. */
    private InetAddress client(InetAddress peer, List<String> addresses) {
        InetAddress client = peer;
        for (int i = addresses.size() - 1; i >= 0 && has(client); i--) {
            Optional<InetAddress> next = address(addresses.get(i));
            if (next.isEmpty()) {
                return client;
            }
            client = next.get();
        }
        return client;
    }

    /** Whether the address is that of a proxy. */
    boolean has(InetAddress address) {
        return networks.stream().anyMatch(network -> network.has(address));
    }

    /** An address, which may have a port; names are not resolved. */
    public static Optional<InetAddress> address(String text) {
        Matcher brackets = BRACKETS.matcher(text);
        Matcher port = FOUR_AND_PORT.matcher(text);
        String literal = brackets.matches() ? brackets.group(1) : port.matches() ? port.group(1) : text;
        byte[] bytes = literal.indexOf('%') >= 0 ? null : NetUtil.createByteArrayFromIpAddressString(literal);
        try {
            return bytes == null ? Optional.empty() : Optional.of(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    private static List<String> list(HttpHeaders headers, String name) {
        return Stream.of(joined(headers, name).split(","))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    /** The values of a header as one; a value too long for honest proxies counts as none. */
    private static String joined(HttpHeaders headers, String name) {
        String value = String.join(",", headers.getAll(name));
        return value.length() > MAX_LENGTH ? "" : value;
    }

    /** The elements of the header {@code Forwarded}; a hop that does not say its client is {@code unknown}. */
    private record Elements(
            List<String> addresses, @Nullable String scheme, List<String> hosts) {
        static Elements of(String header) {
            var addresses = new ArrayList<String>();
            var hosts = new ArrayList<String>();
            String scheme = null;
            for (String element : header.isBlank() ? new String[0] : ELEMENT_END.split(header)) {
                addresses.add(value(element, "for").orElse("unknown"));
                value(element, "host").ifPresent(hosts::add);
                scheme = value(element, "proto").orElse(null);
            }
            return new Elements(addresses, scheme, hosts);
        }

        private static Optional<String> value(String element, String name) {
            return PAIR.matcher(element.strip())
                    .results()
                    .filter(pair -> pair.group(1).equalsIgnoreCase(name))
                    .map(pair -> pair.group(2) == null ? pair.group(3) : pair.group(2))
                    .findFirst();
        }
    }
}

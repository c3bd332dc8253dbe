package dev.parley.platform.http.network;

import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/**
 * The network address of the client of a request: that of its connection or, behind a
 * {@linkplain TrustedProxies trusted proxy}, the one that the proxy forwards. Everything that counts, limits or records
 * addresses takes them from here.
 */
@Singleton
public final class ClientAddress {
    private static final String ATTRIBUTE = "parley.forwarded";
    private static final int NETWORK_BYTES = 8;

    private final TrustedProxies proxies;

    @Inject
    ClientAddress(@Value("${parley.trusted-proxies:}") String proxies) {
        this(TrustedProxies.parse(proxies));
    }

    ClientAddress(TrustedProxies proxies) {
        this.proxies = proxies;
    }

    /** The address of the client, without zone. */
    public InetAddress of(HttpRequest<?> request) {
        return forwarded(request).client();
    }

    /** The address of the client as text. */
    public String textOf(HttpRequest<?> request) {
        return of(request).getHostAddress();
    }

    /** The network of the client, by which requests are counted: see {@link #network(InetAddress)}. */
    public String networkOf(HttpRequest<?> request) {
        return network(of(request));
    }

    /** The /64 network of an IPv6 address, which one customer has; an IPv4 address unchanged. */
    public static String network(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4 ? address.getHostAddress() : HexFormat.of().formatHex(bytes, 0, NETWORK_BYTES);
    }

    /** Whether connections from this address are those of a trusted proxy, for many clients. */
    public boolean isProxy(InetAddress address) {
        return proxies.has(withoutZone(address));
    }

    /** What is known of the client of a request. */
    Forwarded forwarded(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE, Forwarded.class).orElseGet(() -> {
            Forwarded read = proxies.read(withoutZone(request.getRemoteAddress().getAddress()), request.getHeaders());
            request.setAttribute(ATTRIBUTE, read);
            return read;
        });
    }

    private static InetAddress withoutZone(InetAddress address) {
        try {
            return InetAddress.getByAddress(address.getAddress());
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // the bytes are those of an address
        }
    }
}

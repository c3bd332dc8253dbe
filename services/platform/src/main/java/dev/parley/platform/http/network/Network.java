package dev.parley.platform.http.network;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;

/** A network, as {@code 149.154.160.0/20} or {@code 2001:67c:4e8::/48}; an address alone is a network of one. */
public final class Network {
    private final String text;
    private final IpSubnetFilterRule rule;

    private Network(String text, IpSubnetFilterRule rule) {
        this.text = text;
        this.rule = rule;
    }

    /** @throws IllegalArgumentException if it is not a network; host names are not resolved */
    public static Network of(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        boolean four = NetUtil.isValidIpV4Address(address);
        if (!four && !NetUtil.isValidIpV6Address(address)) {
            throw new IllegalArgumentException("not a network: " + text);
        }
        int bits = slash < 0 ? four ? 32 : 128 : Integer.parseInt(text.substring(slash + 1));
        return new Network(text, new IpSubnetFilterRule(address, bits, IpFilterRuleType.ACCEPT));
    }

    /** Whether an address is only reachable from this machine. */
    public static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /**
     * Whether a server is only reachable from this machine.
     *
     * @param bind the address that it listens on
     * @param url its public URL, or empty
     */
    public static boolean isLoopback(String bind, String url) {
        return isLoopback(bind) && (url.isBlank() || isLoopback(URI.create(url).getHost()));
    }

    /**
     * The host of URLs of a server on this machine, with brackets where it needs them: the address that it listens on,
     * or a loopback one where it listens on all.
     */
    public static String hostOfUrl(String bind) {
        String host = bind;
        try {
            if (InetAddress.getByName(bind).isAnyLocalAddress()) {
                host = bind.contains(":") ? "::1" : "127.0.0.1";
            }
        } catch (UnknownHostException e) {
            // reported where the server listens on it
        }
        return host.contains(":") ? "[" + host + "]" : host;
    }

    /** Whether an address belongs to this network. */
    public boolean has(InetSocketAddress address) {
        return rule.matches(address);
    }

    /** Whether an address belongs to this network. */
    public boolean has(InetAddress address) {
        return has(new InetSocketAddress(address, 0));
    }

    @Override
    public String toString() {
        return text;
    }
}

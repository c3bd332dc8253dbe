package dev.parley.platform.http;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;

/** A network, as {@code 149.154.160.0/20} or {@code 2001:67c:4e8::/48}. */
public final class Network {
    private final String written;
    private final IpSubnetFilterRule rule;

    private Network(String written, IpSubnetFilterRule rule) {
        this.written = written;
        this.rule = rule;
    }

    /** @throws IllegalArgumentException if it is not a network; host names are not resolved */
    public static Network of(String written) {
        int slash = written.indexOf('/');
        String address = slash < 0 ? "" : written.substring(0, slash);
        if (!NetUtil.isValidIpV4Address(address) && !NetUtil.isValidIpV6Address(address)) {
            throw new IllegalArgumentException("no network: " + written);
        }
        int bits = Integer.parseInt(written.substring(slash + 1));
        return new Network(written, new IpSubnetFilterRule(address, bits, IpFilterRuleType.ACCEPT));
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

    /** Whether an address belongs to this network. */
    public boolean has(InetSocketAddress address) {
        return rule.matches(address);
    }

    @Override
    public String toString() {
        return written;
    }
}

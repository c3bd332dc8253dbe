package dev.parley.channels.webhook;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import okhttp3.Dns;

/**
 * Finds public addresses only, so that a name that somebody else controls does not lead into the operator's own network. What
 * the operator wrote as an address, or as {@code localhost}, is meant.
 *
 * @param names what looks names up
 */
record GuardedDns(Dns names) implements Dns {

    /** A name leads to private addresses only. */
    static final class PrivateAddressException extends UnknownHostException {
        private static final long serialVersionUID = 1;

        PrivateAddressException(String host) {
            super(host + " has private addresses only; write the address itself where that is meant");
        }
    }

    @Override
    public List<InetAddress> lookup(String host) throws UnknownHostException {
        List<InetAddress> found = names.lookup(host);
        if (host.equals("localhost") || host.contains(":") || host.matches("\\d+(\\.\\d+){3}")) {
            return found;
        }
        List<InetAddress> open = found.stream().filter(GuardedDns::isPublic).toList();
        if (open.isEmpty()) {
            throw new PrivateAddressException(host);
        }
        return open;
    }

    /** Whether an address is one of the open internet. @see <a href="https://www.iana.org/assignments/iana-ipv4-special-registry">IANA's registry</a> */
    static boolean isPublic(InetAddress address) {
        byte[] b = address.getAddress();
        if (address.isMulticastAddress() || address.isLoopbackAddress() || address.isAnyLocalAddress()) {
            return false;
        }
        return address instanceof Inet4Address ? isPublic4(b, 0) : isPublic6(b);
    }

    private static boolean isPublic4(byte[] b, int at) {
        int first = b[at] & 0xFF;
        int second = b[at + 1] & 0xFF;
        int third = b[at + 2] & 0xFF;
        return switch (first) {
            case 0, 10, 127 -> false;
            case 100 -> second < 64 || second > 127; // carriers' own
            case 169 -> second != 254; // of the link, and where clouds keep their keys
            case 172 -> second < 16 || second > 31;
            case 192 -> second != 168 && !(second == 0 && (third == 0 || third == 2));
            case 198 -> second != 18 && second != 19 && !(second == 51 && third == 100);
            case 203 -> !(second == 0 && third == 113);
            default -> first < 224;
        };
    }

    private static boolean isPublic6(byte[] b) {
        if (Arrays.equals(b, 0, 12, NAT64, 0, 12)) {
            return isPublic4(b, 12);
        }
        boolean global = (b[0] & 0xE0) == 0x20;
        boolean tunnel = b[0] == 0x20 && b[1] == 0x02 || b[0] == 0x20 && b[1] == 0x01 && b[2] == 0 && b[3] == 0;
        return global && !tunnel;
    }

    private static final byte[] NAT64 = {0, 0x64, (byte) 0xFF, (byte) 0x9B, 0, 0, 0, 0, 0, 0, 0, 0};
}

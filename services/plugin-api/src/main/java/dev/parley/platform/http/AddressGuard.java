package dev.parley.platform.http;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Keeps requests with destinations chosen by users out of the operator's network (SSRF). Check the addresses that are
 * connected to, not names, which may resolve differently later.
 *
 * @param allowed hosts, as they are written, whose addresses may be private
 */
public record AddressGuard(Predicate<String> allowed) {
    private static final Pattern ADDRESS = Pattern.compile(".*:.*|\\d+(\\.\\d+){3}");
    private static final byte[] NAT64 = {0, 0x64, (byte) 0xFF, (byte) 0x9B, 0, 0, 0, 0, 0, 0, 0, 0};

    /** A host has private addresses only. */
    public static final class PrivateAddressException extends UnknownHostException {
        private static final long serialVersionUID = 1;

        PrivateAddressException(String message) {
            super(message);
        }
    }

    /** For URLs of the operator: written addresses and {@code localhost} are allowed. */
    public static AddressGuard ofOperators() {
        return new AddressGuard(
                host -> host.equals("localhost") || ADDRESS.matcher(host).matches());
    }

    /**
     * The allowed addresses of a host.
     *
     * @throws PrivateAddressException if there are none
     */
    public List<InetAddress> open(String host, List<InetAddress> found) throws PrivateAddressException {
        List<InetAddress> open =
                found.stream().filter(address -> allows(host, address)).toList();
        if (open.isEmpty()) {
            throw new PrivateAddressException(host + " has private addresses only");
        }
        return open;
    }

    /** Whether an address of a host is allowed. */
    public boolean allows(String host, InetAddress address) {
        return allowed.test(host) || isPublic(address);
    }

    /**
     * Whether an address belongs to the public internet. @see <a
     * href="https://www.iana.org/assignments/iana-ipv4-special-registry">IANA's registry</a>
     */
    public static boolean isPublic(InetAddress address) {
        byte[] b = address.getAddress();
        if (address.isMulticastAddress() || address.isLoopbackAddress() || address.isAnyLocalAddress()) {
            return false;
        }
        return address instanceof Inet4Address ? isPublic4(b, 0) : isPublic6(b);
    }

    private static boolean isPublic4(byte[] b, int offset) {
        int first = b[offset] & 0xFF;
        int second = b[offset + 1] & 0xFF;
        int third = b[offset + 2] & 0xFF;
        return switch (first) {
            case 0, 10, 127 -> false;
            case 100 -> second < 64 || second > 127; // carrier-grade NAT
            case 169 -> second != 254; // link-local, and the metadata services of clouds
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
}

package dev.parley.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.http.AddressGuard.PrivateAddressException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Private addresses are reachable only where the operator allows them. */
class AddressGuardTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.168.1.1",
                "198.18.0.1", "224.0.0.1", "255.255.255.255", "::1", "fe80::1", "fd00::1", "64:ff9b::a00:1",
                "::ffff:10.0.0.1", "2002:a00:1::1"
            })
    void recognizesPrivateAddresses(String address) throws UnknownHostException {
        assertFalse(AddressGuard.isPublic(InetAddress.getByName(address)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111", "64:ff9b::101:101"})
    void recognizesPublicAddresses(String address) throws UnknownHostException {
        assertTrue(AddressGuard.isPublic(InetAddress.getByName(address)));
    }

    @Test
    void keepsThePublicAddressesOfAHost() throws UnknownHostException {
        var guard = new AddressGuard(Set.of("intranet")::contains);
        InetAddress inside = InetAddress.getByName("10.0.0.1");
        InetAddress outside = InetAddress.getByName("1.1.1.1");

        assertEquals(List.of(outside), guard.open("example.org", List.of(inside, outside)));
        assertEquals(List.of(inside), guard.open("intranet", List.of(inside)));
        assertThrows(PrivateAddressException.class, () -> guard.open("example.org", List.of(inside)));
    }

    @Test
    void operatorGuardAllowsLiteralLoopbackAddresses() throws UnknownHostException {
        InetAddress inside = InetAddress.ofLiteral("127.0.0.1");

        assertTrue(AddressGuard.ofOperators().allows("127.0.0.1", inside));
        assertTrue(AddressGuard.ofOperators().allows("localhost", inside));
        assertFalse(AddressGuard.ofOperators().allows("example.org", inside));
    }
}

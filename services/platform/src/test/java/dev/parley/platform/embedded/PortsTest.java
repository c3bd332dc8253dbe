package dev.parley.platform.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class PortsTest {
    @RepeatedTest(20)
    void choosesAFreePortBelowTheEphemeralRange() {
        int port = Ports.freeOr(0);

        assertTrue(port >= 20_000 && port < 32_768, "port " + port);
        assertTrue(Ports.isFree(port));
    }

    @Test
    void keepsAFreePreferredPortAndReplacesATakenOne() throws Exception {
        int wanted = Ports.freeOr(0);
        assertEquals(wanted, Ports.freeOr(wanted));

        try (var taken = new ServerSocket(wanted, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            assertNotEquals(taken.getLocalPort(), Ports.freeOr(wanted));
        }
    }
}

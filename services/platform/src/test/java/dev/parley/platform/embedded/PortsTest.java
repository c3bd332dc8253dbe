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
        int preferred = Ports.freeOr(0);
        assertEquals(preferred, Ports.freeOr(preferred));

        try (var occupied = new ServerSocket(preferred, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            assertNotEquals(occupied.getLocalPort(), Ports.freeOr(preferred));
        }
    }
}

package dev.parley.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginsTest {
    @ParameterizedTest
    @CsvSource({
        // host, origin, whether it passes
        "127.0.0.1:8080, , true",
        "localhost:8080, http://localhost:8080, true",
        "localhost, http://localhost:6274, true",
        "[::1]:8080, http://[::1]:8080, true",
        "LOCALHOST:8080, , true",
        ", , false",
        "evil.example, , false",
        "evil.example:8080, http://evil.example:8080, false",
        "127.0.0.1.evil.example, , false",
        "localhost@evil.example, , false",
        "127.0.0.1:8080, http://evil.example, false",
        "127.0.0.1:8080, null, false",
        "127.0.0.1:8080, http://localhost.evil.example, false",
        "127.0.0.1:8080, http://localhost@evil.example, false",
        "127.0.0.1:8080, '', false",
    })
    void loopbackServerAcceptsLoopbackHostsAndOriginsOnly(String host, String origin, boolean passes) {
        assertEquals(passes, new Origins(true, "", "127.0.0.1").fault(host, origin) == null);
    }

    @ParameterizedTest
    @CsvSource({
        "parley.example.com, , true",
        "parley, , true", // a name inside of a cluster
        "parley.example.com, https://parley.example.com, true",
        "parley.example.com, https://parley.example.com:8443, false",
        "parley.example.com, http://parley.example.com, false",
        "evil.example, https://evil.example, false",
        "parley.example.com, http://localhost:8080, false",
    })
    void publicServerAcceptsOriginsOfItsPublicUrlOnly(String host, String origin, boolean passes) {
        assertEquals(passes, new Origins(false, "https://parley.example.com/", "0.0.0.0").fault(host, origin) == null);
    }
}

package dev.parley.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginsTest {
    @ParameterizedTest
    @CsvSource({
        // origin, whether it passes
        ", true",
        "http://localhost:8080, true",
        "http://localhost:6274, true",
        "http://[::1]:8080, true",
        "http://LOCALHOST:8080, true",
        "http://evil.example, false",
        "http://evil.example:8080, false",
        "null, false",
        "http://localhost.evil.example, false",
        "http://127.0.0.1.evil.example, false",
        "http://localhost@evil.example, false",
        "'', false",
    })
    void loopbackServerAcceptsLoopbackOriginsOnly(String origin, boolean passes) {
        assertEquals(passes, new Origins(true, "", "127.0.0.1").fault(origin) == null);
    }

    @ParameterizedTest
    @CsvSource({
        ", true",
        "https://parley.example.com, true",
        "https://parley.example.com:8443, false",
        "http://parley.example.com, false",
        "https://evil.example, false",
        "http://localhost:8080, false",
    })
    void publicServerAcceptsOriginsOfItsPublicUrlOnly(String origin, boolean passes) {
        assertEquals(passes, new Origins(false, "https://parley.example.com/", "0.0.0.0").fault(origin) == null);
    }
}

package dev.parley.tools;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentCheckTest {
    private static ArgumentCheck check(String parameters) {
        return new ArgumentCheck(new ToolSpec("tool", "", parameters, ToolEffect.IDEMPOTENT, Duration.ofMinutes(1)));
    }

    @Test
    @Tag("I89")
    void doesNotFetchSchemasFromTheNetwork() throws IOException {
        // Given
        var requests = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            byte[] schema = "{\"type\":\"integer\"}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, schema.length);
            exchange.getResponseBody().write(schema);
            exchange.close();
        });
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/n";

        try {
            // When
            var refused = assertThrows(
                    IllegalArgumentException.class,
                    () -> check("{\"type\":\"object\",\"properties\":{\"n\":{\"$ref\":\"%s\"}}}".formatted(url)));

            // Then
            assertTrue(refused.getMessage().contains("'tool'"), refused.getMessage());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> check("{\"$schema\":\"%s\",\"type\":\"object\"}".formatted(url)));
            assertEquals(0, requests.get());
        } finally {
            server.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classpath:draft/2020-12/schema", "file:///etc/hostname", "other.json"})
    void rejectsExternalSchemaReferences(String reference) {
        assertThrows(
                IllegalArgumentException.class,
                () -> check("{\"type\":\"object\",\"properties\":{\"n\":{\"$ref\":\"%s\"}}}".formatted(reference)));
    }

    @Test
    void acceptsInternalSchemaReferences() {
        var check = check("""
                {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"n":{"type":"integer"}},
                 "properties":{"n":{"$ref":"#/$defs/n"},"more":{"$ref":"#"}}}""");

        assertDoesNotThrow(() -> check.read("{\"n\":1,\"more\":{\"n\":2}}"));
        var wrong = assertThrows(ArgumentCheck.BadArguments.class, () -> check.read("{\"more\":{\"n\":\"two\"}}"));
        assertEquals("/more/n: string found, integer expected", wrong.why());
    }

    @Test
    void limitsTheLengthOfTheErrorMessage() {
        // Given
        var check = check("""
                {"type":"object","additionalProperties":{"type":"integer"},"propertyNames":{"maxLength":9}}""");
        var arguments = new StringBuilder("{");
        for (int i = 0; i < 100; i++) {
            arguments.append("\"").append("x".repeat(10_000)).append(i).append("\":\"\",");
        }

        // When
        var wrong = assertThrows(
                ArgumentCheck.BadArguments.class,
                () -> check.read(arguments.append("\"n\":1}").toString()));

        // Then
        assertTrue(
                wrong.why().length() < 2_000, () -> "characters: " + wrong.why().length());
    }
}

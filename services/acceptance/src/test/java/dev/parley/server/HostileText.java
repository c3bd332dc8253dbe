package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.server.Api.Answer;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Texts that have broken other programs. Every field treats them as text or rejects them. */
final class HostileText {
    static final List<String> TEXTS = List.of(
            "'; DROP TABLE control.user_t; --",
            "\"}'); DELETE FROM sessions.agent_session_t; --",
            "a\u0000b",
            "a\ud800b",
            "\udc00",
            "x".repeat(100_000),
            "\u202eevil\u202c \u05e9\u05dc\u05d5\u05dd",
            "${jndi:ldap://127.0.0.1/x} {{7*7}} %s %n",
            "<script>alert(1)</script>",
            "a\r\nX-Injected: yes",
            "../../etc/passwd",
            "\ud83d\ude00 \u0000",
            "%00%0d%0a?*_");

    private static final ObjectMapper ESCAPING =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private HostileText() {}

    /**
     * A field of a request.
     *
     * @param body the request body for a text; fields that must be unique get a number
     * @param kept JSON pointer of the text in the response; empty if it is not returned
     */
    record Field(String method, String path, Function<String, Object> body, String kept) {
        Field(String method, String path, String name) {
            this(method, path, text -> Map.of(name, text), "/" + name);
        }

        @Override
        public String toString() {
            return method + " " + path + " " + kept;
        }
    }

    /** JSON that preserves unpaired surrogates. */
    static String json(Object body) {
        try {
            return ESCAPING.writeValueAsString(body);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends a text: if accepted, it is returned unchanged; otherwise the response is a client error (4xx). */
    static void send(Api api, Field field, String text) {
        Answer answer = api.send(field.method(), field.path(), json(field.body().apply(text)), Map.of("If-Match", "*"));
        String description = field + " " + json(text.substring(0, Math.min(40, text.length()))) + ": " + answer.status()
                + " " + json(answer.text());
        if (answer.status() < 300) {
            JsonNode stored = field.kept().isEmpty() ? null : answer.json().at(field.kept());
            assertTrue(stored == null || text.equals(stored.asText()), description);
        } else {
            assertTrue(answer.status() >= 400 && answer.status() < 500, description);
            assertEquals(answer.status(), answer.json().path("status").asInt(), description);
            assertTrue(!answer.code().isEmpty(), description);
        }
    }
}

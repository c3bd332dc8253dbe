package dev.parley.channels.a2a;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.a2a.A2aException.Code;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Errors of A2A's HTTP+JSON binding. */
class RestErrorsTest {
    private static JsonNode error(A2aException.Failure failure) {
        return RestErrors.error(failure).get("error");
    }

    @Test
    @Tag("D35")
    void mapsErrorsToStatusAndReason() {
        JsonNode none = error(A2aException.noTask("t").failure());
        assertEquals(404, none.get("code").asInt());
        assertEquals("NOT_FOUND", none.get("status").asText());
        assertEquals("TASK_NOT_FOUND", none.at("/details/0/reason").asText());
        assertEquals("a2a-protocol.org", none.at("/details/0/domain").asText());
        JsonNode unsupported = error(new A2aException(Code.UNSUPPORTED_OPERATION, "x").failure());
        assertEquals(400, unsupported.get("code").asInt());
        assertEquals("FAILED_PRECONDITION", unsupported.get("status").asText());
        assertEquals(
                "UNAUTHENTICATED",
                error(A2aException.failure(401, "x", null)).get("status").asText());
        assertEquals(
                "PERMISSION_DENIED",
                error(A2aException.failure(403, "x", null)).get("status").asText());
        assertEquals(
                "RESOURCE_EXHAUSTED",
                error(A2aException.failure(429, "x", null)).get("status").asText());
        assertEquals(
                503, error(A2aException.failure(503, "x", null)).get("code").asInt());
        assertEquals(
                404, error(A2aException.failure(404, "x", null)).get("code").asInt());
        assertEquals(
                400, error(A2aException.failure(409, "x", null)).get("code").asInt());
    }
}

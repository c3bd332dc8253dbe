package dev.parley.platform.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ModelWork;
import dev.parley.domain.protocol.ToolWork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrySchemaIdsTest {
    private static final int FIRST_ID = 70_000;
    private static final CallResult PROGRESS = new CallResult.CallProgress(new UUID(1, 2), 3, "worker-1");

    private final List<String> schemas = new ArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private int status = 200;
    private HttpServer server;
    private String url;

    @BeforeEach
    void startARegistry() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/apis/ccompat/v7", this::answer);
        server.start();
        url = "http://127.0.0.1:" + server.getAddress().getPort() + "/apis/ccompat/v7/";
    }

    @AfterEach
    void stopIt() {
        server.stop(0);
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(exchange.getRequestMethod() + " " + path.replace("/apis/ccompat/v7", ""));
        if (status != 200) {
            send(exchange, status, "{\"error_code\":1,\"message\":\"no\"}");
        } else if (path.endsWith("/versions")) {
            JsonNode body = new ObjectMapper().readTree(exchange.getRequestBody());
            send(
                    exchange,
                    200,
                    "{\"id\":" + (FIRST_ID + idOf(body.path("schema").asText())) + "}");
        } else {
            int id = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1)) - FIRST_ID;
            boolean known = id >= 0 && id < schemas.size();
            var json = new ObjectMapper().createObjectNode().put("schema", known ? schemas.get(id) : "");
            send(exchange, known ? 200 : 404, json.toString());
        }
    }

    private int idOf(String schema) {
        if (!schemas.contains(schema)) {
            schemas.add(schema);
        }
        return schemas.indexOf(schema);
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    @Tag("O9")
    void recordsCarryTheRegistrysIds() {
        var ids = RegistrySchemaIds.register(url, Map.of("results", CallResult.class));
        var serde = RecordSerde.of(CallResult.class, ids);

        byte[] bytes = serde.serializer().serialize("results", PROGRESS);

        assertTrue(ByteBuffer.wrap(bytes).getInt(1) >= FIRST_ID);
        assertEquals(PROGRESS, serde.deserializer().deserialize("results", bytes));
        assertTrue(
                requests.contains("POST /subjects/results-dev.parley.avro.CallProgress/versions"), requests::toString);
        assertEquals(CallResult.class.getPermittedSubclasses().length, requests.size(), "nothing is asked twice");
    }

    @Test
    void aRecordOfTwoTopicsHasOneId() {
        var ids = RegistrySchemaIds.register(
                url, Map.of("model-requests", ModelWork.class, "tool-requests", ToolWork.class));

        int cancel = ids.idOf(RecordSerde.schemas(ToolWork.class).get(1));

        assertEquals("CancelCall", ids.schemaOf(cancel).orElseThrow().getName());
    }

    @Test
    void anIdThatIsNotKnownIsLookedUpOnce() {
        // Given
        var writer = RegistrySchemaIds.register(url, Map.of("results", CallResult.class));
        byte[] bytes = RecordSerde.of(CallResult.class, writer).serializer().serialize("results", PROGRESS);
        var reader = RegistrySchemaIds.register(url, Map.of());
        requests.clear();

        // When
        int id = ByteBuffer.wrap(bytes).getInt(1);
        reader.schemaOf(id);

        // Then
        assertEquals("CallProgress", reader.schemaOf(id).orElseThrow().getName());
        assertEquals(List.of("GET /schemas/ids/" + id), requests);
        assertEquals(Optional.empty(), reader.schemaOf(4711));
    }

    @Test
    void asksForAnUnknownIdOnceASecond() {
        // Given
        var now = new AtomicLong();
        var ids = RegistrySchemaIds.register(url, Map.of(), now::get);

        // When
        ids.schemaOf(4711);
        now.addAndGet(Duration.ofMillis(900).toNanos());
        Optional<Schema> soon = ids.schemaOf(4711);
        now.addAndGet(Duration.ofMillis(100).toNanos());
        ids.schemaOf(4711);

        // Then
        assertEquals(Optional.empty(), soon);
        assertEquals(List.of("GET /schemas/ids/4711", "GET /schemas/ids/4711"), requests);
    }

    @Test
    void recordsWithBundledIdsAreStillRead() {
        var headers = new RecordHeaders();
        byte[] bundled = RecordSerde.of(CallResult.class).serializer().serialize("results", headers, PROGRESS);
        var ids = RegistrySchemaIds.register(url, Map.of("results", CallResult.class));

        assertEquals(
                PROGRESS,
                RecordSerde.of(CallResult.class, ids).deserializer().deserialize("results", headers, bundled));
    }

    @Test
    void reportsRegistryErrorsAtTheStart() {
        status = 409;
        assertFails(url, "incompatible version");
        status = 401;
        assertFails(url, "does not let this process in");
        status = 404;
        assertFails(url, "there is no registry to write to at this URL");
        server.stop(0);
        assertFails(url, "does not answer");
        assertFails("localhost:8081", "must be an http or https URL, not 'localhost:8081'");
    }

    @Test
    void unavailableRegistryDoesNotMakeARecordUnreadable() {
        var ids = RegistrySchemaIds.register(url, Map.of());
        status = 503;

        var failure = assertThrows(SchemaLookupException.class, () -> ids.schemaOf(FIRST_ID));

        assertTrue(failure.getMessage().contains("HTTP 503"), failure.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 422})
    void anIdThatTheRegistryRefusesIsUnknown(int refused) {
        var ids = RegistrySchemaIds.register(url, Map.of());
        status = refused;

        assertEquals(Optional.empty(), ids.schemaOf(-1));
    }

    private static void assertFails(String url, String message) {
        var failure = assertThrows(
                IllegalStateException.class,
                () -> RegistrySchemaIds.register(url, Map.of("results", CallResult.class)));
        assertTrue(failure.getMessage().contains(message), failure.getMessage());
    }
}

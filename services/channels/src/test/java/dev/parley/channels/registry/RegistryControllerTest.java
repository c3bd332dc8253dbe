package dev.parley.channels.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.serde.RecordSerde;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O9")
class RegistryControllerTest {
    private static final String DELTAS = "turn-deltas-dev.parley.avro.TurnDelta";

    private static EmbeddedServer server;
    private static HttpClient client;

    @BeforeAll
    static void start() {
        server = ApplicationContext.run(
                EmbeddedServer.class,
                Map.of("parley.role.channels", "true", "parley.admin-key", "secret", "micronaut.server.port", -1));
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void decodesARecordWithTheSchemaOfItsId() throws Exception {
        var delta = TurnDelta.of(new UUID(1, 2), TurnDelta.Kind.TOKEN, 0, 1, "Hello 🦜");
        byte[] bytes = RecordSerde.of(TurnDelta.class).serializer().serialize("turn-deltas", delta);

        JsonNode answer = get("/schemas/ids/" + ByteBuffer.wrap(bytes).getInt(1));

        Schema schema = new Schema.Parser().parse(answer.path("schema").asText());
        GenericRecord read = new GenericDatumReader<GenericRecord>(schema)
                .read(null, DecoderFactory.get().binaryDecoder(bytes, 5, bytes.length - 5, null));
        assertEquals("Hello 🦜", read.get("text").toString());
        assertEquals("TOKEN", read.get("kind").toString());
    }

    @Test
    void listsSubjectsAndVersions() throws Exception {
        // When
        JsonNode latest = get("/subjects/" + DELTAS + "/versions/latest");

        // Then
        assertEquals(DELTAS, latest.path("subject").asText());
        assertEquals(
                latest,
                get("/subjects/" + DELTAS + "/versions/"
                        + latest.path("version").asInt()));
        assertTrue(get("/subjects").toString().contains("\"" + DELTAS + "\""));
        assertEquals("[1,2]", get("/subjects/" + DELTAS + "/versions").toString());
        assertEquals("[\"AVRO\"]", get("/schemas/types").toString());
        assertEquals(
                "[{\"subject\":\"" + DELTAS + "\",\"version\":2}]",
                get("/schemas/ids/" + latest.path("id").asInt() + "/versions").toString());
    }

    @ParameterizedTest
    @CsvSource({
        "/schemas/ids/4711, 40403",
        "/schemas/ids/4711/versions, 40403",
        "/subjects/nothing/versions, 40401",
        "/subjects/turn-deltas-dev.parley.avro.TurnDelta/versions/99, 40402",
    })
    void reportsMissingSchemasWithRegistryErrorCodes(String path, int code) throws Exception {
        HttpResponse<String> response = send("GET", path, "application/vnd.schemaregistry.v1+json, */*");

        assertEquals(404, response.statusCode());
        JsonNode error = new ObjectMapper().readTree(response.body());
        assertEquals(code, error.path("error_code").asInt());
        assertTrue(error.path("message").asText().contains("not found"));
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /subjects/turn-deltas-dev.parley.avro.TurnDelta/versions",
        "DELETE, /subjects/turn-deltas-dev.parley.avro.TurnDelta/versions/1",
        "PUT, /schemas/ids/1",
        "POST, /subjects",
    })
    void rejectsWrites(String method, String path) throws Exception {
        assertEquals(401, send(method, path, "*/*").statusCode());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "application/vnd.schemaregistry.v1+json; application/vnd.schemaregistry.v1+json",
                "application/json; application/json",
                "*/*; application/vnd.schemaregistry.v1+json",
            })
    void supportsBothContentTypes(String accept, String type) throws Exception {
        HttpResponse<String> response = send("GET", "/schemas/ids/1", accept);

        assertEquals(200, response.statusCode());
        assertTrue(response.headers().firstValue("Content-Type").orElse("").startsWith(type));
    }

    private static JsonNode get(String path) throws Exception {
        HttpResponse<String> response = send("GET", path, "application/vnd.schemaregistry.v1+json");
        assertEquals(200, response.statusCode(), response.body());
        return new ObjectMapper().readTree(response.body());
    }

    private static HttpResponse<String> send(String method, String path, String accept)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(server.getURI() + "/registry" + path))
                .method(method, BodyPublishers.noBody())
                .header("Accept", accept)
                .build();
        return client.send(request, BodyHandlers.ofString());
    }
}

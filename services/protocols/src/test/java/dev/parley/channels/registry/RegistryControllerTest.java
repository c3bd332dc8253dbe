package dev.parley.channels.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
                Map.of(
                        "parley.role.channels",
                        "true",
                        "parley.admin-key",
                        "secret",
                        "micronaut.server.port",
                        -1,
                        "parley.public-registry",
                        true));
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
        assertEquals(
                "[{\"subject\":\"" + DELTAS + "\",\"version\":2}]",
                get("/schemas/ids/" + latest.path("id").asInt() + "/versions").toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "; {}",
                "/schemas/types; [\"AVRO\"]",
                "/mode; {\"mode\":\"READONLY\"}",
                "/mode/DELTAS?defaultToGlobal=true; {\"mode\":\"READONLY\"}",
                "/config; {\"compatibilityLevel\":\"BACKWARD_TRANSITIVE\"}",
                "/config/DELTAS?defaultToGlobal=true; {\"compatibilityLevel\":\"BACKWARD_TRANSITIVE\"}",
                "/contexts; [\".\"]",
                "/exporters; []",
                "/associations/resources/-/turn-deltas?resourceType=topic&associationType=value&offset=0&limit=-1; []",
                "/associations/resources/4711; []",
                "/associations/subjects/DELTAS; []",
                "/subjects/DELTAS/versions/1/referencedby; []",
                "/subjects?subjectPrefix=DELTAS; [\"DELTAS\"]",
                "/subjects?subjectPrefix=:.:DELTAS&deleted=true; [\"DELTAS\"]",
                "/schemas/ids/ID/subjects; [\"DELTAS\"]",
                "/schemas/guids/GUID/ids; [{\"context\":\".\",\"id\":ID}]",
                "/schemas/guids/none/ids; []",
            })
    @Tag("B110")
    void answersEveryPathToRead(String path, String answer) throws Exception {
        JsonNode latest = get("/subjects/" + DELTAS + "/versions/latest");

        JsonNode found = get(known(path == null ? "" : path, latest));

        assertEquals(new ObjectMapper().readTree(known(answer, latest)), found);
    }

    private static String known(String text, JsonNode latest) {
        return text.replace("GUID", latest.path("guid").asText())
                .replace("/ID/", "/" + latest.path("id").asInt() + "/")
                .replace(":ID", ":" + latest.path("id").asInt())
                .replace("DELTAS", DELTAS);
    }

    @ParameterizedTest
    @CsvSource({
        "/schemas/ids/ID/schema",
        "/subjects/DELTAS/versions/-1/schema",
        "/schemas/guids/GUID",
        "/subjects/DELTAS/metadata?key=a&value=b",
        "/schemas?subjectPrefix=DELTAS&latestOnly=true&limit=1",
    })
    @Tag("B110")
    void findsASchemaByEachOfItsNames(String path) throws Exception {
        JsonNode latest = get("/subjects/" + DELTAS + "/versions/latest");

        JsonNode found = get(known(path, latest));

        JsonNode schema = found.isArray() ? found.path(0) : found;
        assertEquals(
                new ObjectMapper().readTree(latest.path("schema").asText()),
                schema.has("schema")
                        ? new ObjectMapper().readTree(schema.path("schema").asText())
                        : schema);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "GET; /schemas/ids/4711; 404; 40403",
                "GET; /schemas/ids/4711/versions; 404; 40403",
                "GET; /schemas/ids/4711/schema; 404; 40403",
                "GET; /schemas/ids/4711/subjects; 404; 40403",
                "GET; /schemas/ids/none; 404; 404",
                "GET; /schemas/guids/none; 404; 40403",
                "GET; /subjects/nothing/versions; 404; 40401",
                "GET; /subjects/nothing/versions/latest/schema; 404; 40401",
                "GET; /subjects/turn-events-dev.parley.avro.LeaseRenewed/versions; 404; 40401",
                "GET; /subjects/turn-deltas-dev.parley.avro.TurnDelta/versions/99; 404; 40402",
                "GET; /subjects/turn-deltas-dev.parley.avro.TurnDelta/versions/0; 422; 42202",
                "GET; /subjects/turn-deltas-dev.parley.avro.TurnDelta/versions/first; 422; 42202",
                "GET; /config/turn-deltas-dev.parley.avro.TurnDelta; 404; 40408",
                "GET; /mode/turn-deltas-dev.parley.avro.TurnDelta; 404; 40409",
                "GET; /nothing/here; 404; 404",
                "GET; /dek-registry/v1/keks; 404; 404",
                "POST; /subjects/nothing; 404; 40401",
                "POST; /subjects/turn-deltas-dev.parley.avro.TurnDelta; 422; 42201",
                "POST; /subjects/turn-deltas-dev.parley.avro.TurnDelta/versions; 422; 42201",
                "POST; /compatibility/subjects/turn-deltas-dev.parley.avro.TurnDelta/versions/7; 422; 42201",
                "DELETE; /subjects/turn-deltas-dev.parley.avro.TurnDelta; 422; 42205",
                "DELETE; /subjects/turn-deltas-dev.parley.avro.TurnDelta/versions/1; 422; 42205",
                "PUT; /config; 422; 42205",
                "PUT; /config/turn-deltas-dev.parley.avro.TurnDelta; 422; 42205",
                "DELETE; /config/turn-deltas-dev.parley.avro.TurnDelta; 422; 42205",
                "PUT; /mode; 422; 42205",
                "POST; /associations; 422; 42205",
                "POST; /associations:batchDelete; 422; 42205",
                "DELETE; /contexts/other; 422; 42205",
                "PUT; /schemas/ids/1; 404; 404",
                "PATCH; /nothing; 404; 404",
            })
    @Tag("B110")
    void errorsHaveTheFormAndTheCodesOfARegistry(String method, String path, int status, int code) throws Exception {
        HttpResponse<String> response = send(method, path, "application/vnd.schemaregistry.v1+json, */*", "");

        JsonNode error = new ObjectMapper().readTree(response.body());
        assertEquals(status, response.statusCode(), response.body());
        assertEquals(code, error.path("error_code").asInt());
        assertFalse(error.path("message").asText().isEmpty());
        assertTrue(response.headers().firstValue("Content-Type").orElse("").contains("json"));
    }

    /** A client that would register what it writes goes on, if the registry has it. */
    @Test
    @Tag("B110")
    void answersForSchemasThatItHasAndRegistersNone() throws Exception {
        // Given
        JsonNode latest = get("/subjects/" + DELTAS + "/versions/latest");
        String known = body(latest.path("schema").asText());
        String other =
                body("{\"type\":\"record\",\"name\":\"TurnDelta\",\"namespace\":\"dev.parley.avro\",\"fields\":[]}");

        // Then
        assertEquals(latest, answer("/subjects/" + DELTAS, known));
        assertEquals(latest, answer("/subjects/" + DELTAS + "/versions", known));
        assertEquals(
                40403, answer("/subjects/" + DELTAS, other).path("error_code").asInt());
        assertEquals(
                42205,
                answer("/subjects/" + DELTAS + "/versions", other)
                        .path("error_code")
                        .asInt());
        assertTrue(answer("/compatibility/subjects/" + DELTAS + "/versions", known)
                .path("is_compatible")
                .asBoolean());
        assertFalse(answer("/compatibility/subjects/" + DELTAS + "/versions/latest", body("\"string\""))
                .path("is_compatible")
                .asBoolean(true));
    }

    private static String body(String schema) {
        return new ObjectMapper().createObjectNode().put("schema", schema).toString();
    }

    private static JsonNode answer(String path, String body) throws Exception {
        return new ObjectMapper()
                .readTree(send("POST", path, "application/vnd.schemaregistry.v1+json", body)
                        .body());
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
        HttpResponse<String> response = send("GET", "/schemas/ids/1", accept, "");

        assertEquals(200, response.statusCode());
        assertTrue(response.headers().firstValue("Content-Type").orElse("").startsWith(type));
    }

    private static JsonNode get(String path) throws Exception {
        HttpResponse<String> response = send("GET", path, "application/vnd.schemaregistry.v1+json", "");
        assertEquals(200, response.statusCode(), response.body());
        return new ObjectMapper().readTree(response.body());
    }

    private static HttpResponse<String> send(String method, String path, String accept, String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(server.getURI() + "/registry" + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header("Accept", accept)
                .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                .build();
        return client.send(request, BodyHandlers.ofString());
    }
}

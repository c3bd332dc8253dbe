package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import dev.parley.domain.RecordKey;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.schemas.BundledSchema;
import dev.parley.schemas.SchemaCatalog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParser;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Utils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records of other builds on the topics of a running process: of a later one, whose schemas it lacks, and of the
 * first release. They are written with plain Avro.
 */
class NewerRecordsIT {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final String COMMANDS = "turn-commands";
    private static final String EVENTS = "turn-events";
    private static final Path RELEASED = Path.of("../../schemas/src/test/resources/released/1");

    @TempDir
    Path folder;

    private Registry registry;
    private KafkaClients clients;

    @BeforeEach
    void startRegistry() throws IOException {
        registry = new Registry();
    }

    @AfterEach
    void stopRegistry() {
        registry.server.close();
    }

    @Test
    @Tag("K18")
    @Tag("O6")
    void readsRecordsOfOtherBuildsAndDeadLettersUnknownOnes() throws Exception {
        Path data = folder.resolve("data");
        GenericRecord command;
        String letter;
        try (ParleyProcess alone = ParleyProcess.start(data)) {
            // Given a process that knows its own schemas and no registry
            Api api = alone.api();
            clients = Records.clients(data);
            api.say("web:old", "!say from this build");
            command = read(records(COMMANDS).getFirst());

            // When
            send(
                    COMMANDS,
                    "default/web:first",
                    withText(convert(releasedSchema("SubmitTurn"), command), "!say from the first release"));
            send(COMMANDS, "default/web:later", newerCommand(command, "!say from a later build"));
            api.say("web:later", "!say it goes on");

            // Then the record of the first release is read, and that of a later build is a dead letter
            assertReply(api, "web:first", "from the first release");
            assertReply(api, "web:later", "it goes on");
            letter = deadLetter(api, "SubmitTurn").path("id").asText();
            assertEquals(1, api.list("/v1/sessions/web:later/turns").size());
            alone.stop();
        }
        try (ParleyProcess process = ParleyProcess.start(data, Map.of("PARLEY_REGISTRY", registry.url()))) {
            // Given a process with a registry
            Api api = process.api();
            clients = Records.clients(data);

            // When the record of the later build is redriven, and another one has an unknown mode
            assertEquals(
                    200,
                    api.post("/v1/dead-letters/" + letter + "/redrive", Map.of())
                            .status());
            GenericRecord patient = newerCommand(command, "!say what is known is used");
            patient.put(
                    "mode",
                    new GenericData.EnumSymbol(
                            patient.getSchema().getField("mode").schema(), "WHENEVER"));
            send(COMMANDS, "default/web:patient", patient);

            // Then
            assertReply(api, "web:later", "from a later build");
            assertReply(api, "web:patient", "what is known is used");

            // When a command of an unknown type arrives
            Schema meta = command.getSchema().getField("meta").schema();
            var knock = new GenericData.Record(Schema.createRecord(
                    "Knock",
                    null,
                    meta.getNamespace(),
                    false,
                    List.of(
                            new Schema.Field("meta", meta),
                            new Schema.Field("times", Schema.create(Schema.Type.INT)))));
            knock.put(
                    "meta", withText(convert(command.getSchema(), command), "").get("meta"));
            knock.put("times", 3);
            send(COMMANDS, "default/web:patient", knock);

            // Then it is a dead letter, unchanged, and the session continues
            assertEquals("on", api.say("web:patient", "!say on").path("reply").asText());
            JsonNode aside = deadLetter(api, "Knock");
            assertEquals(COMMANDS, aside.path("topic").asText(), aside.toString());
            assertTrue(aside.path("cause").asText().contains("Knock"), aside.toString());
            assertTrue(
                    api.get("/v1/dead-letters/" + aside.path("id").asText())
                            .text()
                            .contains("times"),
                    "people see what is in it");

            // When a session has events of a later build, one of an unknown type
            api.patch("/v1/sessions/web:old", Map.of("title", "A title"));
            Awaitility.await()
                    .until(() -> records(EVENTS).stream()
                            .anyMatch(record -> isNamed(record, "SessionChanged")
                                    && RecordCodec.key(record).startsWith("default/web:old#")));
            sendShadowEvents();

            // Then views have all known events
            Awaitility.await().untilAsserted(() -> {
                Api.Answer session = api.get("/v1/sessions/web:shadow");
                assertEquals("A title", session.json().path("title").asText(), session.text());
            });
            assertReply(api, "web:shadow", "from this build");
            assertEquals(2, api.list("/v1/sessions/web:shadow/messages").size());
            JsonNode admired = deadLetter(api, "TurnAdmired");
            assertEquals(EVENTS, admired.path("topic").asText(), admired.toString());
            assertEquals("on", api.say("web:old", "!say on").path("reply").asText());
            assertEquals(200, api.get("/health/ready").status());
        }
    }

    /** Sends the events of {@code web:old} for {@code web:shadow}, as a later build writes them. */
    private void sendShadowEvents() throws Exception {
        long seq = 0;
        for (var record : records(EVENTS)) {
            if (RecordCodec.key(record).startsWith("default/web:old#")) {
                GenericRecord event = read(record);
                if (event.getSchema().getName().equals("SessionChanged")) {
                    GenericRecord meta = (GenericRecord) renamed(event.get("meta"));
                    var admired = new GenericData.Record(Schema.createRecord(
                            "TurnAdmired",
                            null,
                            meta.getSchema().getNamespace(),
                            false,
                            List.of(
                                    new Schema.Field("meta", meta.getSchema()),
                                    new Schema.Field("by", Schema.create(Schema.Type.STRING)))));
                    meta.put("seq", ++seq);
                    admired.put("meta", meta);
                    admired.put("by", "somebody");
                    send(EVENTS, "default/web:shadow#" + seq, admired);
                }
                var shadow = (GenericRecord) renamed(convert(newerSchema(event.getSchema()), event));
                ((GenericRecord) shadow.get("meta")).put("seq", ++seq);
                send(EVENTS, "default/web:shadow#" + seq, shadow);
            }
        }
    }

    /** Replaces the ids and the session key. */
    private static Object renamed(Object value) {
        return switch (value) {
            case GenericRecord record -> {
                var copy = new GenericData.Record(record.getSchema());
                for (Schema.Field field : record.getSchema().getFields()) {
                    Object inner = record.get(field.name());
                    copy.put(
                            field.name(),
                            switch (field.name()) {
                                case "host" -> inner;
                                case "key" -> "default/web:shadow";
                                case "sessionId" ->
                                    new RecordKey("default", "web:shadow")
                                            .sessionId(0)
                                            .toString();
                                default -> inner == null ? null : renamed(inner);
                            });
                }
                yield copy;
            }
            case List<?> list -> list.stream().map(NewerRecordsIT::renamed).toList();
            case CharSequence text ->
                ID.matcher(text).matches()
                        ? UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8))
                                .toString()
                        : text.toString();
            default -> value;
        };
    }

    // ---- records

    private GenericRecord newerCommand(GenericRecord command, String text) {
        return withText(convert(newerSchema(command.getSchema()), command), text);
    }

    /** The schema of a later build: with a new first field and another mode. */
    private static Schema newerSchema(Schema schema) {
        String extended = schema.toString()
                .replaceFirst(
                        "\"fields\":\\[",
                        "\"fields\":[{\"name\":\"mood\",\"type\":[\"null\",\"string\"],\"default\":null},")
                .replace("\"FOLLOWUP\",", "\"FOLLOWUP\",\"WHENEVER\",");
        return new Schema.Parser().parse(extended);
    }

    /** The command with a new id and another text. */
    private static GenericRecord withText(GenericRecord command, String text) {
        String id = UUID.randomUUID().toString();
        var meta = (GenericRecord) command.get("meta");
        meta.put("commandId", id);
        meta.put("outcomePartition", null);
        command.put("originRef", id);
        var content = (GenericRecord) ((List<?>) command.get("content")).getFirst();
        content.put("text", text);
        if (command.getSchema().getField("mood") != null) {
            command.put("mood", "glad");
        }
        return command;
    }

    /** A schema of the first release. */
    private static Schema releasedSchema(String name) throws IOException {
        try (Stream<Path> files = Files.walk(RELEASED)) {
            var parser = new SchemaParser();
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".avsc")).toList()) {
                parser.parse(file);
            }
            return parser.getParsedNamedSchemas().stream()
                    .filter(schema -> schema.getName().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static GenericRecord convert(Schema schema, GenericRecord value) {
        try {
            var out = new ByteArrayOutputStream();
            var encoder = EncoderFactory.get().binaryEncoder(out, null);
            new GenericDatumWriter<GenericRecord>(value.getSchema()).write(value, encoder);
            encoder.flush();
            return new GenericDatumReader<GenericRecord>(value.getSchema(), schema)
                    .read(null, DecoderFactory.get().binaryDecoder(out.toByteArray(), null));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private GenericRecord read(ConsumerRecord<byte[], byte[]> record) throws IOException {
        String reference =
                new String(record.headers().lastHeader(RecordSerde.DATASCHEMA).value(), StandardCharsets.UTF_8);
        Schema schema =
                SchemaCatalog.bundled().byReference(reference).orElseThrow().schema();
        return new GenericDatumReader<GenericRecord>(schema)
                .read(null, DecoderFactory.get().binaryDecoder(record.value(), 5, record.value().length - 5, null));
    }

    private static boolean isNamed(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(RecordSerde.TYPE).value(), StandardCharsets.UTF_8).equals(name);
    }

    // ---- topics

    private void send(String topic, String key, GenericRecord value) throws Exception {
        Schema schema = value.getSchema();
        var out = new ByteArrayOutputStream();
        out.write(0);
        out.write(ByteBuffer.allocate(Integer.BYTES)
                .putInt(registry.idOf(schema.toString()))
                .array());
        var encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(schema).write(value, encoder);
        encoder.flush();
        try (var producer = clients.producer("later-build")) {
            byte[] session = key.replaceFirst("#\\d+$", "").getBytes(StandardCharsets.UTF_8);
            int partition = Utils.toPositive(Utils.murmur2(session))
                    % producer.partitionsFor(topic).size();
            var record =
                    new ProducerRecord<>(topic, partition, key.getBytes(StandardCharsets.UTF_8), out.toByteArray());
            RecordCodec.stamp(record.headers(), topic, UUID.randomUUID(), Instant.now(), null);
            record.headers().add(RecordSerde.TYPE, schema.getName().getBytes(StandardCharsets.UTF_8));
            String reference = BundledSchema.reference(schema);
            record.headers().add(RecordSerde.DATASCHEMA, reference.getBytes(StandardCharsets.UTF_8));
            producer.send(record).get();
        }
    }

    private List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        return Records.all(clients, topic);
    }

    private static JsonNode deadLetter(Api api, String type) {
        return Awaitility.await()
                .until(() -> api.list("/v1/dead-letters?type=" + type), letters -> letters.size() == 1)
                .getFirst();
    }

    private static void assertReply(Api api, String session, String reply) {
        Awaitility.await().untilAsserted(() -> {
            Api.Answer turns = api.get("/v1/sessions/" + session + "/turns");
            assertTrue(turns.text().contains("\"reply\":\"" + reply + "\""), turns.text());
        });
    }

    /** A schema registry: returns ids for schemas and schemas for ids. */
    private static final class Registry {
        private static final ObjectMapper JSON = new ObjectMapper();

        /** Its ids are none of the built-in ids. */
        private static final int FIRST = 40_000;

        private final LocalServer server = LocalServer.serial().handle("/", this::answer);
        private final List<String> schemas = new CopyOnWriteArrayList<>();

        String url() {
            return server.url();
        }

        synchronized int idOf(String schema) {
            if (!schemas.contains(schema)) {
                schemas.add(schema);
            }
            return FIRST + schemas.indexOf(schema);
        }

        private void answer(HttpExchange exchange) throws IOException {
            try (exchange) {
                String path = exchange.getRequestURI().getPath();
                String answer;
                if (path.startsWith("/schemas/ids/")) {
                    int index = Integer.parseInt(path.substring("/schemas/ids/".length())) - FIRST;
                    boolean isKnown = index >= 0 && index < schemas.size();
                    answer = isKnown
                            ? JSON.createObjectNode()
                                    .put("schema", schemas.get(index))
                                    .toString()
                            : "";
                } else {
                    String schema = JSON.readTree(exchange.getRequestBody())
                            .path("schema")
                            .asText();
                    answer = "{\"id\":" + idOf(schema) + "}";
                }
                LocalServer.respond(exchange, answer.isEmpty() ? 404 : 200, answer);
            }
        }
    }
}

package dev.parley.platform.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.parley.domain.access.KeyUsed;
import dev.parley.platform.serde.RecordSerde;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code schemas/asyncapi.yaml} describes each topic as {@code Topics} defines it. */
@Tag("O9")
class AsyncApiTest {
    private static final Path FILE = Path.of("../../schemas/asyncapi.yaml");

    private final JsonNode document;

    AsyncApiTest() throws IOException {
        document = new YAMLMapper().readTree(Files.newInputStream(FILE));
    }

    @Test
    void channelsAreTheTopics() {
        var topics = Topics.all().stream().map(Topic::name).collect(Collectors.toCollection(TreeSet::new));

        assertEquals(topics, names(document.path("channels")));
        document.path("channels").properties().forEach(channel -> {
            assertEquals(channel.getKey(), channel.getValue().path("address").asText());
            assertTrue(
                    channel.getValue().path("x-key").asText().length() > 5, channel.getKey() + " does not say its key");
        });
    }

    @Test
    void messagesAreTheRecordsOfEachTopic() {
        for (Topic<?> topic : Topics.all()) {
            assertEquals(expected(topic), names(channel(topic).path("messages")), topic.name());
        }
    }

    private static Set<String> expected(Topic<?> topic) {
        if (topic == Topics.DEAD_LETTERS) {
            return Set.of("DeadLetter");
        }
        if (topic == Topics.PROJECT_CHANGES) {
            var copied = expected(Topics.TURN_EVENTS);
            copied.addAll(expected(Topics.MEMORY_EVENTS));
            copied.addAll(expected(Topics.DEFINITIONS));
            copied.addAll(Set.of("Project", "Member"));
            return copied;
        }
        return RecordSerde.published(topic.type()).stream()
                .map(schema -> schema.schema().getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void configurationMatchesTheTopics() {
        for (Topic<?> topic : Topics.all()) {
            JsonNode documented = channel(topic).path("bindings").path("kafka").path("topicConfiguration");
            var configs = TopicAdmin.configs(topic);

            assertEquals(
                    configs.get("cleanup.policy"),
                    documented.path("cleanup.policy").path(0).asText(),
                    topic.name());
            assertEquals(
                    configs.get("retention.ms"), documented.path("retention.ms").asText(), topic.name());
            assertEquals(
                    configs.get("max.message.bytes"),
                    documented.path("max.message.bytes").asText(),
                    topic.name());
        }
    }

    @Test
    void allReferencesResolve() {
        List<String> references = new ArrayList<>();
        document.findValues("$ref").forEach(reference -> references.add(reference.asText()));

        assertTrue(references.size() > 80);
        for (String reference : references) {
            boolean exists = reference.startsWith("#")
                    ? !document.at(reference.substring(1)).isMissingNode()
                    : Files.exists(FILE.resolveSibling(reference));
            assertTrue(exists, reference);
        }
    }

    @Test
    void everyTopicHasAnOperation() {
        var channels = StreamSupport.stream(document.path("operations").spliterator(), false)
                .map(operation ->
                        operation.path("channel").path("$ref").asText().replace("#/channels/", ""))
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(names(document.path("channels")), channels);
    }

    /** A message is the record of its name, with the headers of all records. */
    @Test
    void eachMessageRefersToTheSchemaOfItsRecord() {
        document.path("components").path("messages").properties().forEach(message -> {
            String name = message.getKey();
            JsonNode definition = message.getValue();
            assertEquals(name, definition.path("name").asText());
            assertTrue(definition.path("summary").asText().length() > 5, name + " does not say what it is");
            if (!name.equals("DeadLetter")) {
                assertEquals(
                        "./bundled/records/" + name + ".avsc",
                        definition.path("payload").path("schema").path("$ref").asText());
                assertEquals(
                        "#/components/messageTraits/record",
                        definition.path("traits").path(0).path("$ref").asText());
            }
        });
    }

    @Test
    void everyMessageBelongsToATopic() {
        Set<String> referenced = new TreeSet<>();
        document.path("channels").forEach(channel -> referenced.addAll(names(channel.path("messages"))));

        assertEquals(referenced, names(document.path("components").path("messages")));
    }

    /** The declared headers are those that records carry. */
    @Test
    void headersAreThoseOfRecords() {
        // Given
        UUID key = UUID.randomUUID();
        var record = RecordCodec.record(
                Topics.KEY_USAGE,
                key.toString(),
                new KeyUsed(key, key, Instant.EPOCH),
                UUID.randomUUID(),
                "00-" + "a".repeat(32) + "-" + "b".repeat(16) + "-01");
        Set<String> headerNames = new TreeSet<>();
        record.headers().forEach(header -> headerNames.add(header.key()));
        JsonNode headers =
                document.path("components").path("messageTraits").path("record").path("headers");

        // Then
        assertEquals(headerNames, names(headers.path("properties")));
        Set<String> required = new TreeSet<>();
        headers.path("required").forEach(name -> required.add(name.asText()));
        headerNames.remove(RecordCodec.TRACE);
        assertEquals(headerNames, required);
        String schema =
                new String(record.headers().lastHeader(RecordSerde.DATASCHEMA).value(), StandardCharsets.UTF_8);
        assertTrue(
                schema.matches(headers.path("properties")
                        .path(RecordSerde.DATASCHEMA)
                        .path("pattern")
                        .asText()),
                schema);
    }

    @Test
    void versionIsThatOfTheBuild() throws IOException {
        Matcher version = Pattern.compile("<version>([0-9.]+)(-SNAPSHOT)?</version>")
                .matcher(Files.readString(Path.of("../../pom.xml")));

        assertTrue(version.find());
        assertEquals(version.group(1), document.path("info").path("version").asText());
    }

    private JsonNode channel(Topic<?> topic) {
        return document.path("channels").path(topic.name());
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}

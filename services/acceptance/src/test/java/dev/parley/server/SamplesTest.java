package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.testing.ChannelPluginContract;
import dev.parley.platform.kafka.JsonTopics;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordJson;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.testkit.PluginJar;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Checks versions, topics and fields in the sample consumers. {@link ConsumersIT} runs those that are programs. */
@Tag("O9")
class SamplesTest {
    private static final Path SAMPLES = Path.of("../../deploy/samples");
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void javaSampleUsesTheClientVersionsOfTheBuildOnly() throws IOException {
        String build = Files.readString(Path.of("../../pom.xml"));
        String sample = Files.readString(SAMPLES.resolve("java/pom.xml"));

        assertEquals(List.of(version(build, "kafka"), version(build, "avro")), versions(sample));
        assertFalse(Files.readString(SAMPLES.resolve("java/src/main/java/TurnReplies.java"))
                .contains("dev.parley"));
    }

    @Test
    void plugInSampleDependsOnThePluginApiOnly() throws IOException {
        // Given
        String build = Files.readString(Path.of("../../pom.xml"));
        String sample = Files.readString(SAMPLES.resolve("channel/pom.xml"));

        // Then
        List<String> used = Pattern.compile("(?s)<dependency>(.*?)</dependency>")
                .matcher(sample)
                .results()
                .map(dependency -> dependency.group(1))
                .filter(dependency -> !dependency.contains("<scope>test</scope>"))
                .toList();
        assertEquals(1, used.size(), used.toString());
        Matcher version = Pattern.compile("<artifactId>parley</artifactId>\\s*<version>(.*?)</version>")
                .matcher(build);
        assertTrue(version.find());
        assertTrue(Pattern.compile("<artifactId>parley-plugin-api</artifactId>\\s*<version>"
                        + Pattern.quote(version.group(1)) + "</version>")
                .matcher(sample)
                .find());
        assertTrue(sample.contains("<version>" + version(build, "junit") + "</version>"));
    }

    /** As whoever writes a plug-in would: with the API, its contract and JUnit alone. */
    @Test
    @Tag("B255")
    void plugInSampleKeepsTheContractOfChannels(@TempDir Path folder) throws Exception {
        // Given
        Path jar = Files.createDirectories(folder.resolve("jars")).resolve("folder.jar");
        PluginJar.ofTestedSample(
                jar, SAMPLES.resolve("channel"), ChannelPlugin.class, ChannelPluginContract.class, Test.class);
        var summary = new SummaryGeneratingListener();

        // When
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (var loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader); // the loader of plug-ins
            var request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(DiscoverySelectors.selectClass(loader.loadClass("example.folder.FolderChannelTest")))
                    .build();
            LauncherFactory.create().execute(request, summary);
        } finally {
            thread.setContextClassLoader(before);
        }

        // Then
        var out = new StringWriter();
        summary.getSummary().printFailuresTo(new PrintWriter(out, true));
        assertEquals("", out.toString());
        assertTrue(
                summary.getSummary().getTestsSucceededCount() >= 10,
                () -> "few tests: " + summary.getSummary().getTestsSucceededCount());
    }

    private static String version(String pom, String property) {
        Matcher found = Pattern.compile("<" + property + "\\.version>(.*?)</").matcher(pom);
        assertTrue(found.find(), property);
        return found.group(1);
    }

    private static List<String> versions(String pom) {
        return Pattern.compile("<version>([0-9.]{3,})</version>")
                .matcher(pom.substring(pom.indexOf("<dependencies>")))
                .results()
                .map(version -> version.group(1))
                .toList();
    }

    @Test
    void nodeSampleLocksItsVersions() throws IOException {
        // Given
        JsonNode lock = JSON.readTree(Files.readString(SAMPLES.resolve("node/package-lock.json")));

        // Then
        var dependencies = JSON.readTree(Files.readString(SAMPLES.resolve("node/package.json")))
                .path("dependencies");
        assertFalse(dependencies.isEmpty());
        dependencies
                .properties()
                .forEach(dependency -> assertEquals(
                        dependency.getValue().asText(),
                        lock.path("packages")
                                .path("node_modules/" + dependency.getKey())
                                .path("version")
                                .asText()));
        assertFalse(lock.toString().contains("http"), "it names no registry");
    }

    @Test
    void connectorsReadCommittedRecordsOfExistingTopics() throws IOException {
        // Given
        Map<String, JsonNode> connectors = new TreeMap<>();
        try (Stream<Path> files = Files.list(SAMPLES.resolve("connect"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".json")).toList()) {
                JsonNode connector = JSON.readTree(Files.readString(file));
                connectors.put(file.getFileName().toString(), connector.path("config"));
            }
        }

        // Then
        assertEquals(3, connectors.size());
        connectors.forEach((file, config) -> {
            String topic = config.path("topics").asText();
            assertTrue(topics().anyMatch(topic::equals), file + ": " + topic);
            assertEquals(
                    "read_committed",
                    config.path("consumer.override.isolation.level").asText(),
                    file);
        });
        JsonNode file = Objects.requireNonNull(connectors.get("replies-to-file.json"));
        assertTrue(
                has(schema("TurnCompleted"), file.path("transforms.reply.field").asText()));
        JsonNode jdbc = Objects.requireNonNull(connectors.get("replies-to-jdbc.json"));
        JsonNode columns =
                JSON.readTree(jdbc.path("value.converter.schema.content").asText());
        assertFields(reply(), columns);
        assertTrue(has(reply(), jdbc.path("primary.key.fields").asText()));
    }

    /** The possible mirror topics. */
    private static Stream<String> topics() {
        return Topics.all().stream().map(topic -> JsonTopics.of(topic).name());
    }

    /** Compares the schema given to Connect with that of the record: names and optional fields. */
    private static void assertFields(Schema record, JsonNode struct) {
        assertFalse(struct.path("fields").isEmpty(), struct.toString());
        for (JsonNode field : struct.path("fields")) {
            String name = field.path("field").asText();
            assertTrue(has(record, name), name);
            Schema schema = record.getField(name).schema();
            assertEquals(schema.isNullable(), field.path("optional").asBoolean(), name);
            if (field.path("type").asText().equals("struct")) {
                assertFields(schema, field);
            }
        }
    }

    @Test
    void mirroredEventsHaveOneTypePerField() throws IOException {
        // Given
        Matcher types = Pattern.compile("topic: turn-events, types: \\[(.*?)\\]")
                .matcher(Files.readString(Path.of("../../docs/consumers.md")));
        assertTrue(types.find());

        // When
        Map<String, Set<Schema.Type>> kinds = new TreeMap<>();
        Stream.of(types.group(1).split(", ")).map(SamplesTest::schema).forEach(type -> collect("", type, kinds));

        // Then
        assertTrue(kinds.containsKey(".meta.turnId"), kinds.toString());
        kinds.forEach((field, kind) -> assertEquals(1, kind.size(), field));
    }

    /** Collects the kinds of values of each document field: records, or their JSON type. */
    private static void collect(String path, Schema schema, Map<String, Set<Schema.Type>> kinds) {
        switch (schema.getType()) {
            case NULL -> {}
            case UNION -> schema.getTypes().forEach(branch -> collect(path, branch, kinds));
            case ARRAY -> collect(path, schema.getElementType(), kinds);
            case MAP -> collect(path + ".*", schema.getValueType(), kinds);
            case RECORD -> {
                kinds.computeIfAbsent(path, _ -> EnumSet.noneOf(Schema.Type.class))
                        .add(Schema.Type.RECORD);
                schema.getFields().forEach(field -> collect(path + "." + field.name(), field.schema(), kinds));
            }
            case ENUM, STRING, BYTES, FIXED ->
                kinds.computeIfAbsent(path, _ -> EnumSet.noneOf(Schema.Type.class))
                        .add(Schema.Type.STRING);
            case INT, LONG, FLOAT, DOUBLE, BOOLEAN ->
                kinds.computeIfAbsent(path, _ -> EnumSet.noneOf(Schema.Type.class))
                        .add(schema.getType());
        }
    }

    private static Schema reply() {
        return RecordSerde.schemas(Topics.REPLIES.type()).getFirst().schema();
    }

    private static Schema schema(String event) {
        return RecordSerde.schemas(Topics.TURN_EVENTS.type()).stream()
                .map(schema -> schema.schema())
                .filter(schema -> schema.getName().equals(event))
                .findFirst()
                .orElseThrow();
    }

    private static boolean has(Schema record, String field) {
        return record.getField(field) != null;
    }

    @Test
    void flinkTableHasFieldsOfTheEvents() throws IOException {
        // Given
        String sql = Files.readString(SAMPLES.resolve("flink/turns.sql"));
        List<Schema> events = Stream.of("TurnStarted", "TurnCompleted", "TurnFailed")
                .map(SamplesTest::schema)
                .toList();
        String table = sql.substring(sql.indexOf("CREATE TABLE turn_events ("), sql.indexOf("PRIMARY KEY"));

        // Then
        Map<String, String> columns = Pattern.compile("(?m)^  `([@\\w]+)` (.*),$")
                .matcher(table)
                .results()
                .collect(Collectors.toMap(column -> column.group(1), column -> column.group(2)));
        assertTrue(columns.size() > 4 && columns.remove(RecordJson.TYPE) != null, columns.toString());
        assertEquals("STRING", columns.remove("event"), "the record's key");
        columns.forEach((name, type) -> {
            List<Schema> found = events.stream()
                    .filter(event -> has(event, name))
                    .map(event -> event.getField(name).schema())
                    .toList();
            assertFalse(found.isEmpty(), name);
            Pattern.compile("`(\\w+)`")
                    .matcher(type)
                    .results()
                    .forEach(
                            nested -> assertTrue(has(found.getFirst(), nested.group(1)), name + "." + nested.group(1)));
        });
        assertTrue(
                sql.contains("'topic' = '" + JsonTopics.of(Topics.TURN_EVENTS).name() + "'"));
        assertTrue(sql.contains("'properties.isolation.level' = 'read_committed'"));
    }
}

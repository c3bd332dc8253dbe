package dev.parley.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.client.Approval;
import dev.parley.client.EventStream;
import dev.parley.client.Message;
import dev.parley.client.ParleyClient;
import dev.parley.client.ParleyException;
import dev.parley.client.ProjectEvent;
import dev.parley.client.Turn;
import dev.parley.client.TurnEvent;
import dev.parley.platform.config.JsonTopic;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.platform.testkit.TcpProxy;
import dev.parley.sessions.mirror.JsonMirror;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.tools.ToolProvider;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Programs beside a running server: the canary, the sample consumers, the clients, and topics mirrored as JSON. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsumersIT {
    private static final Path SAMPLES =
            Path.of("../../deploy/samples").toAbsolutePath().normalize();
    private static final String NAME = "consumed";
    private static final String MIRROR = "turn-events.json";

    /** The dependencies of the Java sample, with transitive ones. */
    private static final List<String> JARS = List.of(
            "kafka-clients-", "avro-1", "jackson-core-2", "jackson-databind-2", "jackson-annotations-", "slf4j-api-");

    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance instance;
    private static Api api;
    private static KafkaClients clients;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("parley.yml"), "jsonTopics: [ { topic: turn-events } ]\n");
        servers = new Servers(folder);
        instance = servers.start(NAME);
        api = Api.of(instance);
        clients = servers.clients();
    }

    @AfterAll
    static void stop() {
        instance.close();
        servers.close();
    }

    @Test
    @Order(1)
    @Tag("O30")
    void canaryLosesNoReplyIfItsConnectionBreaks() {
        try (var network = new TcpProxy(URI.create(instance.url()).getPort())) {
            // Given
            network.cutAfter("event: started");

            // When
            var run = CommandRun.of(
                    Map.of("PARLEY_CONFIG", folder.resolve("none.yml").toString()),
                    ("canary --turns 6 --turns-per-session 3 --pause 0s --key " + Servers.KEY
                                    + " --url http://127.0.0.1:" + network.port())
                            .split(" "));

            // Then
            assertEquals(0, run.status(), run.output());
            assertTrue(run.out().contains("6 answered, 0 lost, 0 duplicate"), run.out());
            assertTrue(network.hasCut(), "a stream of events was cut");
        }
        Awaitility.await()
                .until(() -> api.list("/v1/sessions?includeDeleted=true").stream()
                        .noneMatch(session -> session.path("key").asText().startsWith("canary:")));
    }

    @Test
    @Order(2)
    @Tag("O9")
    void javaSamplePrintsEachReplyOnceAcrossARestart() throws IOException {
        // Given
        Path classes = Files.createDirectories(folder.resolve("classes"));
        assertEquals(
                0,
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "--release",
                                "21",
                                "-cp",
                                sampleClassPath(),
                                "-d",
                                classes.toString(),
                                SAMPLES.resolve("java/src/main/java/TurnReplies.java")
                                        .toString()));

        // Then
        assertPrintsEachReplyOnce(
                "java",
                List.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        sampleClassPath() + System.getProperty("path.separator") + classes,
                        "TurnReplies"));
    }

    private static String sampleClassPath() {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(classPath.split(System.getProperty("path.separator")))
                .filter(path -> JARS.stream()
                        .anyMatch(jar -> Path.of(path).getFileName().toString().startsWith(jar)))
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    @Test
    @Order(3)
    @Tag("O9")
    void nodeSamplePrintsEachReplyOnceAcrossARestart() throws IOException {
        Path sample = SAMPLES.resolve("node");
        assumeTrue(
                Files.exists(sample.resolve("node_modules/.package-lock.json")) && isInstalled("node"),
                "no Node.js here, or nothing installed in " + sample + ": .ci/run installs it where npm is");

        assertPrintsEachReplyOnce(
                "node", List.of("node", sample.resolve("turn-replies.js").toString()));
    }

    @Test
    @Order(4)
    @Tag("O32")
    void nodeClientContinuesAfterALostConnection() throws IOException {
        assumeTrue(isInstalled("node"), "no Node.js here");
        Path out = folder.resolve("client.out");
        try (var network = new TcpProxy(URI.create(instance.url()).getPort())) {
            // Given
            network.cutAfter("event: token");

            // When
            int status = runNodeTest(out, "round.js", "http://127.0.0.1:" + network.port(), Servers.KEY);

            // Then
            assertEquals(0, status, Files.readString(out));
            assertTrue(network.hasCut(), "a stream of events was cut");
        }
    }

    private static int runNodeTest(Path out, String script, String... arguments) throws IOException {
        return NpmClient.runNode(
                out,
                Stream.concat(Stream.of("../../deploy/clients/node/test/" + script), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    @Test
    @Order(4)
    @Tag("O32")
    void nodeClientFailsOnceAtAnEventThatIsNotJson() throws IOException {
        assumeTrue(isInstalled("node"), "no Node.js here");
        Path out = folder.resolve("not-json.out");

        int status = runNodeTest(out, "not-json.js");

        assertEquals(0, status, Files.readString(out));
    }

    @Test
    @Order(4)
    @Tag("O36")
    void javaClientFailsOnceAtAnEventThatIsNotJson() throws IOException {
        try (var server = new HttpDouble()) {
            // Given
            String failed = "data: {\"type\":\"turn.failed\"}\n\n";
            server.answers(
                    HttpDouble.stream(stream -> stream.bytes("id: 7\ndata: not JSON\n\nid: 8\n" + failed)),
                    HttpDouble.stream(stream -> stream.bytes("id: 9\n" + failed)));

            try (var events = new ParleyClient(server.url(), Servers.KEY).watch(Set.of(), null)) {
                // When
                var problem = assertThrows(UncheckedIOException.class, events::next);

                // Then
                assertTrue(problem.getMessage().contains("event 7"), problem.getMessage());
                assertEquals("8", events.next().id());
                assertEquals("9", events.next().id());
                assertEquals("8", server.seen().getLast().header("Last-Event-ID"));
            }
        }
    }

    @Test
    @Order(4)
    @Tag("O36")
    void javaClientContinuesAfterALostConnection() throws Exception {
        try (var network = new TcpProxy(URI.create(instance.url()).getPort())) {
            // Given
            var parley = new ParleyClient(URI.create("http://127.0.0.1:" + network.port()), Servers.KEY);
            Set<UUID> completed = ConcurrentHashMap.newKeySet();
            EventStream<ProjectEvent> watched = parley.watch(Set.of("turn.completed"), null);
            assertEquals("open", watched.next().type());
            Thread watcher = Thread.ofVirtual()
                    .start(() -> watched.forEachRemaining(event -> {
                        if (event.data().path("session").asText().equals("in-java")) {
                            completed.add(
                                    UUID.fromString(event.data().path("turn").asText()));
                        }
                    }));

            // Then
            Message hello = Message.of("!say hello");
            Turn turn = parley.say("in-java", hello);
            assertEquals("hello", turn.reply());
            assertEquals(turn.id(), parley.say("in-java", hello).id(), "the same key is the same turn");

            // When
            network.cutAfter("event: token");
            Message longMessage = Message.of("!stream 30 words over 2s");
            var streamed = new StringBuilder();
            try (EventStream<TurnEvent> events = parley.stream("in-java", longMessage)) {
                events.forEachRemaining(event -> {
                    if (event.type().equals("token")) {
                        streamed.append(event.text());
                    }
                });
            }

            // Then
            assertTrue(network.hasCut(), "a stream of events was cut");
            Turn longTurn = parley.say("in-java", longMessage);
            assertEquals(longTurn.reply(), streamed.toString(), "what was streamed is what was said");
            Awaitility.await().until(() -> completed.equals(Set.of(turn.id(), longTurn.id())));
            watched.close();
            assertTrue(watcher.join(Duration.ofSeconds(60)), "who waits for events is woken");
            assertEquals(
                    List.of("user", "assistant"),
                    StreamSupport.stream(parley.messages("in-java").spliterator(), false)
                            .limit(2)
                            .map(message -> message.path("role").asText())
                            .toList());
            var refused = assertThrows(
                    ParleyException.class, () -> parley.request("GET", "/v1/sessions/no-such-session", null, Map.of()));
            assertEquals(404, refused.status());
            assertEquals("unknown_session", refused.code());
            assertTrue(StreamSupport.stream(parley.sessions().spliterator(), false)
                    .anyMatch(session -> session.key().equals("in-java")));
        }
    }

    @Test
    @Order(4)
    @Tag("O36")
    void javaClientAnswersAnApproval() {
        // Given
        var parley = new ParleyClient(URI.create(instance.url()), Servers.KEY);
        Turn turn = parley.submit("asks", Message.of("!call file_read {\"path\": \"/notes.txt\"}\n!then\n!say done"));
        Awaitility.await().until(() -> parley.approvals().iterator().hasNext());

        // When
        Approval approval = parley.approvals().iterator().next();
        parley.decide(approval, Approval.Answer.REJECT);

        // Then
        assertEquals(turn.id(), approval.turn());
        assertEquals("file_read", approval.tool());
        try (EventStream<TurnEvent> events = parley.follow("asks", turn.id())) {
            events.forEachRemaining(event -> assertNotEquals("error", event.type()));
        }
        Awaitility.await().until(() -> parley.turn("asks", turn.id()).ended());
        assertEquals("done", parley.turn("asks", turn.id()).reply());
    }

    /** With default settings; the topics have what the tests before wrote. */
    @Test
    @Order(4)
    @Tag("B110")
    @Tag("B111")
    void librariesOfOtherVendorsReadEachRecord() throws IOException {
        // Given
        Path script = Path.of("../../.ci/consumers/read.mjs");
        assumeTrue(
                Files.exists(script.resolveSibling("node_modules/.package-lock.json")) && isInstalled("node"),
                "no Node.js here, or nothing installed beside " + script + ": .ci/run installs it where npm is");
        Path records = folder.resolve("records.jsonl");
        Path out = folder.resolve("libraries.out");
        Files.write(
                records,
                Topics.all().stream()
                        .flatMap(topic -> Records.all(clients, topic.name()).stream())
                        .filter(record -> record.value() != null)
                        .map(ConsumersIT::line)
                        .toList());

        // When
        int status = NpmClient.runNode(out, script.toString(), instance.url() + "/registry", records.toString());

        // Then
        assertEquals(0, status, Files.readString(out));
    }

    private static String line(ConsumerRecord<byte[], byte[]> record) {
        var line = new ObjectMapper().createObjectNode();
        line.put("topic", record.topic()).put("value", record.value());
        var headers = line.putObject("headers");
        record.headers().forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
        return line.toString();
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":")).anyMatch(path -> Files.isExecutable(Path.of(path, program)));
    }

    /** Runs a sample, stops it and runs it again: it prints the replies of the meantime, and none of them twice. */
    private static void assertPrintsEachReplyOnce(String session, List<String> command) throws IOException {
        String first = api.say(session, "!say one\\nand\ta tab").path("id").asText();
        String before = outputUntilPrinted(session, command, first);
        String second = api.say(session, "!say two").path("id").asText();
        String after = outputUntilPrinted(session, command, second);

        assertTrue(before.contains("default/%s\t%s\tone\\nand\\ta tab\n".formatted(session, first)), before);
        assertTrue(after.contains("default/%s\t%s\ttwo\n".formatted(session, second)), after);
        assertFalse(after.contains(first), "it goes on where it stopped: " + after);
    }

    /** The output of a sample, which is stopped after it has printed and committed a turn. */
    private static String outputUntilPrinted(String name, List<String> command, String turn) throws IOException {
        Path out = Files.createTempFile(folder, name, ".out");
        var form = command.getFirst().contains("node") ? ClientSettings.Form.NODE : ClientSettings.Form.JAVA;
        Path settings = Files.writeString(
                folder.resolve(name + ".settings"),
                ClientSettings.text(form, clients, servers.database().owner()));
        var fullCommand = Stream.of(
                        command,
                        List.of(
                                servers.clients().bootstrap(),
                                instance.url() + "/registry",
                                "sample-" + name,
                                settings.toString()))
                .flatMap(Collection::stream)
                .toList();
        Process process = new ProcessBuilder(fullCommand)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            Awaitility.await()
                    .until(() -> (Files.readString(out).contains(turn) && isCommitted("sample-" + name, name))
                            || !process.isAlive());
        } finally {
            process.destroy();
            process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
        }
        return Files.readString(out);
    }

    /** Whether the committed offset of a group is after the last turn of a session. */
    private static boolean isCommitted(String group, String session) throws ExecutionException, InterruptedException {
        ConsumerRecord<byte[], byte[]> end = Records.all(clients, Topics.TURN_EVENTS.name()).stream()
                .filter(record -> RecordCodec.key(record).startsWith("default/" + session + "#"))
                .filter(record -> RecordCodec.type(record).orElse("").equals("TurnCompleted"))
                .toList()
                .getLast();
        try (var admin = clients.admin("committed")) {
            var committed = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(new TopicPartition(end.topic(), end.partition()));
            return committed != null && committed.offset() > end.offset();
        }
    }

    /** The newest value of each key. */
    private static Map<String, ConsumerRecord<byte[], byte[]>> latestByKey(String topic) {
        var latest = new TreeMap<String, ConsumerRecord<byte[], byte[]>>();
        Records.all(clients, topic).forEach(record -> {
            if (record.value() == null) {
                latest.remove(RecordCodec.key(record));
            } else {
                latest.put(RecordCodec.key(record), record);
            }
        });
        return latest;
    }

    private static void awaitMirrored() {
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        latestByKey(Topics.TURN_EVENTS.name()).keySet(),
                        latestByKey(MIRROR).keySet()));
    }

    @Test
    @Order(4)
    @Tag("O31")
    void mirrorsEventsAsJsonUntilTheyAreErased() throws IOException {
        // Given
        String turn = api.say("mirrored", "!say seen in a mirror").path("id").asText();

        // Then
        awaitMirrored();
        List<ConsumerRecord<byte[], byte[]>> mirrored = Records.all(clients, MIRROR).stream()
                .filter(record -> RecordCodec.key(record).startsWith("default/mirrored#"))
                .toList();
        assertEquals(
                mirrored.size(),
                mirrored.stream().map(RecordCodec::key).distinct().count(),
                "nothing stands there twice");
        var end = mirrored.getLast();
        var source = latestByKey(Topics.TURN_EVENTS.name()).get(RecordCodec.key(end));
        assertEquals("TurnCompleted", RecordCodec.type(end).orElse(""));
        assertEquals(source.partition(), end.partition());
        assertEquals(source.timestamp(), end.timestamp());
        var json = new ObjectMapper().readTree(end.value());
        assertEquals("TurnCompleted", json.path("@type").asText());
        assertEquals("seen in a mirror", json.path("reply").asText());
        assertEquals(turn, json.path("meta").path("turnId").asText());

        // When
        api.post("/v1/sessions/mirrored/erase", Map.of());

        // Then
        Awaitility.await().until(() -> !latestByKey(MIRROR).containsKey(RecordCodec.key(end)));
        awaitMirrored();
    }

    @Test
    @Order(5)
    @Tag("O31")
    void rebuildsAMirrorForOtherTypesAndEmptiesItWithoutAny() {
        // Given
        api.say("wished", "!say hello");
        awaitMirrored();
        instance.close();

        // When
        try (JsonMirror narrow = mirror(new JsonTopic(Topics.TURN_EVENTS, Set.of("TurnCompleted")))) {
            // Then
            Set<String> completed = latestByKey(Topics.TURN_EVENTS.name()).entrySet().stream()
                    .filter(event ->
                            RecordCodec.type(event.getValue()).orElse("").equals("TurnCompleted"))
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
            assertFalse(completed.isEmpty());
            Awaitility.await()
                    .untilAsserted(
                            () -> assertEquals(completed, latestByKey(MIRROR).keySet()));
            assertNull(narrow.problem().orElse(null));
        }

        // When
        try (JsonMirror none = mirror()) {
            // Then
            Awaitility.await()
                    .untilAsserted(
                            () -> assertEquals(Set.of(), latestByKey(MIRROR).keySet()));
            assertNull(none.problem().orElse(null));
        }
    }

    private static JsonMirror mirror(JsonTopic... topics) {
        var mirror =
                new JsonMirror(clients.forProcess(NAME), NAME, List.of(topics), (short) 1, new SimpleMeterRegistry());
        mirror.start();
        return mirror;
    }
}

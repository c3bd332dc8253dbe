package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.protocol.TurnEvent.TurnCompleted;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
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

/** The commands that check past turns of a running process: {@code audit} and {@code replay-session}. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AuditIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SECRET = "whsec-0123456789abcdef";

    @TempDir
    static Path folder;

    private static HookReceiver receiver;
    private static Instance instance;
    private static Api api;
    private static KafkaClients clients;

    @BeforeAll
    static void start() throws IOException {
        receiver = new HookReceiver(SECRET);
        Files.writeString(folder.resolve("secret"), SECRET);
        Files.writeString(folder.resolve("parley.yml"), """
                agents:
                  - { name: default, model: scripted/scripted }
                  - { name: silent, model: scripted/scripted, prompt: Be brief., tools: [echo] }
                permissions:
                  - { tool: file_write, action: ask }
                webhooks:
                  - { name: hook, url: "%s", secret: "file:%s/secret", allowAll: true }
                """.formatted(receiver.url(), folder));
        instance = Instances.start(folder.resolve("data"));
        api = Api.of(instance);
        clients = Records.clients(folder.resolve("data"));
    }

    @AfterAll
    static void stop() {
        instance.close();
        receiver.close();
    }

    private static CommandRun run(String... arguments) {
        var command = new ArrayList<>(List.of(arguments));
        command.addAll(List.of("--data", folder.resolve("data").toString()));
        return CommandRun.of(Instances.environment(folder.resolve("data")), command.toArray(String[]::new));
    }

    private static CommandRun audit(String session, String... options) {
        var arguments = new ArrayList<>(List.of("audit", "--json", "--grace", "0s", "--session", session));
        arguments.addAll(List.of(options));
        return run(arguments.toArray(String[]::new));
    }

    private static List<String> kinds(CommandRun run) {
        return StreamSupport.stream(run.json().path("newest").spliterator(), false)
                .map(finding -> finding.path("kind").asText())
                .sorted()
                .toList();
    }

    private static List<ConsumerRecord<byte[], byte[]>> events(String session) {
        return Records.all(clients, Topics.TURN_EVENTS.name()).stream()
                .filter(record -> RecordCodec.key(record).startsWith("default/" + session + "#"))
                .toList();
    }

    private static void send(ProducerRecord<byte[], byte[]> record) throws Exception {
        try (var producer = clients.producer("tampering")) {
            assertTrue(producer.send(record).get().hasOffset());
        }
    }

    @Test
    @Order(1)
    @Tag("O13")
    void auditAccountsForEachMessageTurnAndCall() throws Exception {
        // Given
        api.say("whole", "!call echo {\"text\":\"one\"}\n!call nothing {}\n!then\n!say both");
        api.turn("whole", Map.of("text", "hello", "agent", "nobody"));
        api.say("whole", "!delegate explore !say found");
        api.post("/v1/sessions/whole/turns", Map.of("text", "!call file_write {\"path\":\"a.txt\",\"content\":\"x\"}"));
        Awaitility.await().atMost(SOON).until(() -> !api.list("/v1/approvals").isEmpty());
        String approval = api.list("/v1/approvals").getFirst().path("id").asText();
        api.post("/v1/sessions/whole/approvals/" + approval, Map.of("answer", "reject"));
        api.post("/v1/sessions/whole/fork?wait=60s", Map.of("target", "branch"));
        api.say("branch", "hello");
        api.say("gone", "hello");
        api.post("/v1/sessions/gone/erase", Map.of());
        sendToHook("hello");
        Awaitility.await().atMost(SOON).until(() -> !receiver.messages("C1").isEmpty());

        // Then
        Awaitility.await().atMost(SOON).untilAsserted(() -> {
            CommandRun run = run("audit", "--grace", "0s", "--json");
            assertEquals(0, run.status(), run.out() + run.err());
            JsonNode counts = run.json().path("counts");
            assertEquals(4, counts.path("messages of api").path("turn").asInt(), counts.toString());
            assertEquals(
                    1,
                    counts.path("messages of api").path("refused:unknown_agent").asInt());
            assertEquals(1, counts.path("messages of delegate").path("turn").asInt());
            assertEquals(1, counts.path("turns of delegate").path("completed").asInt());
            assertEquals(1, counts.path("approvals").path("reject").asInt());
            assertEquals(1, counts.path("tool calls").path("denied").asInt());
            assertEquals(1, counts.path("tool calls").path("error").asInt());
            assertEquals(2, counts.path("tool calls").path("result").asInt());
            assertEquals(1, counts.path("deliveries of hook").path("dealt with").asInt());
            assertEquals(1, counts.path("replies").path("final").asInt());
        });
        assertTrue(run("audit").out().contains("Proved: everything that began in the range has exactly one outcome"));
    }

    private static void sendToHook(String text) throws IOException, InterruptedException {
        String body = JSON.createObjectNode()
                .put("id", "m1")
                .put("chat", "C1")
                .put("text", text)
                .set("user", JSON.createObjectNode().put("id", "U1").put("name", "Ann"))
                .toString();
        var request = HttpRequest.newBuilder(URI.create(api.url() + "/hooks/hook"))
                .header("Content-Type", "application/json")
                .header(
                        "Parley-Signature",
                        HookReceiver.sign(SECRET, Instant.now().getEpochSecond(), body))
                .POST(BodyPublishers.ofString(body))
                .build();
        try (var http = HttpClient.newHttpClient()) {
            assertTrue(http.send(request, BodyHandlers.ofString()).statusCode() < 300);
        }
    }

    @Test
    @Order(2)
    @Tag("O13")
    void auditReportsForeignRecordsWithTheirOffset() throws Exception {
        // Given
        api.say("tampered", "hello");
        assertEquals(0, audit("tampered").status());
        List<ConsumerRecord<byte[], byte[]>> events = events("tampered");
        ConsumerRecord<byte[], byte[]> end = events.getLast();
        int other = 1 - Math.min(1, end.partition());

        // When
        send(new ProducerRecord<>(end.topic(), end.partition(), end.key(), end.value(), end.headers()));
        send(new ProducerRecord<>(end.topic(), other, end.key(), end.value(), end.headers()));
        send(new ProducerRecord<>(
                end.topic(), end.partition(), "default/tampered#99".getBytes(StandardCharsets.UTF_8), new byte[] {
                    0, 1, 2
                }));

        // Then
        CommandRun run = audit("tampered");
        assertEquals(1, run.status(), run.err());
        assertEquals(List.of("event_twice", "foreign_record", "foreign_record", "turn_ended_twice"), kinds(run));
        JsonNode newest = run.json().path("newest").path(0);
        assertEquals("turn-events", newest.path("topic").asText());
        assertTrue(newest.path("detail").asText().startsWith("it cannot be read"), newest.toString());
        assertTrue(newest.path("offset").asLong() > end.offset());
        String text = run("audit", "--session", "tampered", "--limit", "1").out();
        assertTrue(text.contains("4 exceptions:") && text.contains("… and 3 older ones"), text);
    }

    @Test
    @Order(3)
    @Tag("O13")
    void auditDoesNotJudgeTurnsThatBeganBeforeItsRange() {
        // Given
        api.say("halves", "!delay 300ms\n!say done");
        ConsumerRecord<byte[], byte[]> end = events("halves").stream()
                .filter(record -> RecordCodec.read(Topics.TURN_EVENTS, record) instanceof TurnCompleted)
                .findFirst()
                .orElseThrow();
        String from = Instant.ofEpochMilli(end.timestamp()).toString();

        // Then
        CommandRun withoutLookBack = audit("halves", "--from", from, "--look-back", "0s");
        assertEquals(0, withoutLookBack.status(), withoutLookBack.out());
        assertEquals(
                1,
                withoutLookBack
                        .json()
                        .path("counts")
                        .path("not judged")
                        .path("began before what was read")
                        .asInt());
        CommandRun withLookBack = audit("halves", "--from", from);
        assertTrue(withLookBack.json().path("counts").path("not judged").isMissingNode(), withLookBack.out());
        assertEquals(2, run("audit", "--from", "tomorrow").status());
        assertEquals(2, run("audit", "--from", "1h", "--to", "2h").status());
    }

    @Test
    @Order(4)
    @Tag("O14")
    void replayWithAnotherAgentHasNoSideEffects() throws IOException {
        // Given
        api.say("tried", "my name is Ann");
        api.say("tried", "!call echo {\"text\":\"one\"}\n!then\n!say both");
        api.turn("tried", Map.of("text", "what time is it?", "agent", "silent"));
        api.say("tried", "what is my name?");
        Path agent = Files.writeString(folder.resolve("silent.yaml"), """
                model: scripted/scripted
                prompt: Tell the time.
                tools: [time]
                """);
        Path output = folder.resolve("kept.jsonl");
        Map<String, Long> before = stableEndOffsets();

        // When
        CommandRun run = run("replay-session", "tried", "--agent-file", agent.toString(), "--out", output.toString());

        // Then
        assertEquals(0, run.status(), run.out() + run.err());
        assertTrue(run.out().contains("- echo {\"text\":\"one\"} → completed"), run.out());
        assertTrue(run.out().contains("+ echo {\"text\":\"one\"} → error"), "it may not use echo: " + run.out());
        assertTrue(run.out().contains("+ time {} → not recorded"), run.out());
        assertTrue(run.out().contains("4 turns, 4 answered"), run.out());
        assertEquals(before, endOffsets(), "nothing came on any topic");

        // When it is run again
        CommandRun second =
                run("replay-session", "tried", "--agent-file", agent.toString(), "--out", output.toString(), "--json");

        // Then
        assertEquals(4, second.err().split("known already", -1).length - 1, second.err());
        JsonNode last = second.json().path("turns").path(3);
        assertEquals(
                last.path("recorded").path("reply").asText(),
                last.path("replayed").path("answer").path("reply").asText(),
                "it has the history");
        assertTrue(last.path("replayed").path("answer").path("reply").asText().contains("Ann"), last.toString());
    }

    @Test
    @Order(5)
    @Tag("O14")
    void replaySuiteReportsItsScoreAndFailsBelowItsThreshold() throws IOException {
        // Given
        api.say("suite", "!call echo {\"text\":\"one\"}\n!then\n!say two words");
        Path suite = Files.writeString(folder.resolve("suite.yaml"), """
                agent: default
                threshold: 0.75
                sessions:
                  - session: suite
                    turns:
                      1: { contains: [two], matches: "wor.s$", called: [echo], notCalled: [echo], sameReply: true, maxCost: 0.01 }
                """);

        // Then
        CommandRun run = run("replay-session", "--suite", suite.toString(), "--json");
        assertEquals(0, run.status(), run.out() + run.err());
        assertEquals(6, run.json().path("suite").path("of").asInt());
        assertEquals(5, run.json().path("suite").path("met").asInt(), run.out());
        CommandRun strict = run("replay-session", "--suite", suite.toString(), "--threshold", "1");
        assertEquals(1, strict.status());
        assertTrue(strict.out().contains("NOT MET  default/suite turn 1: notCalled echo"), strict.out());
        Files.writeString(suite, "sessions: [ { session: suite, turns: { 1: { says: x } } } ]");
        CommandRun wrong = run("replay-session", "--suite", suite.toString());
        assertEquals(2, wrong.status());
        assertTrue(wrong.err().contains("suite.yaml:1: Unrecognized field \"says\""), wrong.err());
        assertEquals(2, run("replay-session", "nobody").status());
        assertEquals(2, run("replay-session", "suite", "--agent", "nobody").status());
        CommandRun bounded = run("replay-session", "suite", "--max-tokens", "1");
        assertEquals(1, bounded.status());
        assertTrue(bounded.out().contains("stopped: the replay has used up its tokens"), bounded.out());
    }

    @Test
    @Order(6)
    @Tag("B224")
    void turnsThatPeopleFindBadAreASuite() {
        // Given
        api.say("blamed", "!say Bergen");
        Awaitility.await().until(() -> api.list("/v1/sessions/blamed/turns").size() == 1);
        String turn =
                api.list("/v1/sessions/blamed/turns").getFirst().path("id").asText();
        String feedback = "/v1/sessions/blamed/turns/" + turn + "/feedback";

        // When somebody finds its answer bad, and the agent answers the same again
        assertEquals(202, api.post(feedback, Map.of("opinion", "bad")).status());
        CommandRun bad = run("replay-session", "--feedback", "bad");

        // Then
        assertEquals(1, bad.status(), bad.out() + bad.err());
        assertTrue(bad.out().contains("NOT MET  default/blamed turn 1: sameReply"), bad.out());

        // When they change their mind
        assertEquals(202, api.post(feedback, Map.of("opinion", "good")).status());

        // Then
        assertEquals(0, run("replay-session", "blamed", "--feedback", "good").status());
        CommandRun none = run("replay-session", "--feedback", "bad");
        assertEquals(2, none.status(), none.out());
        assertTrue(none.err().contains("Nobody finds a turn bad"), none.err());
        assertEquals(2, run("replay-session", "--feedback", "meh").status());
    }

    /** The end offset of each partition, which any new record changes. */
    private static Map<String, Long> endOffsets() {
        var offsets = new TreeMap<String, Long>();
        try (var consumer = clients.consumer("ends", null, Map.of("isolation.level", "read_uncommitted"))) {
            for (var topic : List.of(
                    Topics.TURN_COMMANDS,
                    Topics.TURN_EVENTS,
                    Topics.REPLIES,
                    Topics.TOOL_REQUESTS,
                    Topics.MODEL_REQUESTS,
                    Topics.MEMORY_COMMANDS,
                    Topics.RULE_REQUESTS)) {
                consumer.endOffsets(KafkaClients.partitions(consumer, topic))
                        .forEach((partition, end) -> offsets.put(partition.toString(), end));
            }
        }
        return offsets;
    }

    /** The end offsets once they no longer change: earlier work, such as an erasure, may still be running. */
    private static Map<String, Long> stableEndOffsets() {
        var last = new AtomicReference<>(endOffsets());
        Awaitility.await().atMost(SOON).during(Duration.ofSeconds(1)).until(() -> {
            Map<String, Long> now = endOffsets();
            return now.equals(last.getAndSet(now));
        });
        return last.get();
    }

    @Test
    @Order(7)
    @Tag("O13")
    void auditFailsIfRetentionHasRemovedRecords() throws Exception {
        // Given
        try (var admin = clients.admin("cutting")) {
            TopicPartition partition = Records.all(clients, Topics.TURN_COMMANDS.name()).stream()
                    .map(record -> new TopicPartition(record.topic(), record.partition()))
                    .findFirst()
                    .orElseThrow();
            admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1)))
                    .all()
                    .get();
        }

        // Then
        CommandRun run = run("audit", "--from", "30d");
        assertEquals(2, run.status(), run.out());
        assertTrue(run.err().contains("Retention has removed records of turn-commands"), run.err());
        assertFalse(run.out().contains("Proved"));
    }
}

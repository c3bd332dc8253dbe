package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.SignedRecords;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordSerde;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The complete server process with a real broker and database, through its HTTP API. */
class ConversationIT {
    @TempDir
    static Path folder;

    private static Instance instance;
    private static Api api;

    @BeforeAll
    static void start() {
        instance = Instances.start(Instances.environment(folder.resolve("data")));
        api = Api.of(instance);
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    @Test
    @Tag("P14")
    @Tag("P52")
    @Tag("I48")
    void turnIsCompletedByTheDefaultAgent() {
        // When
        JsonNode turn = api.say("web:1", "!say hello there");

        // Then
        assertEquals("COMPLETED", turn.get("state").asText());
        assertEquals("hello there", turn.get("reply").asText());
        assertEquals(1, turn.get("seq").asInt());
        Awaitility.await()
                .until(() ->
                        api.list("/v1/sessions/web:1/messages?role=assistant").size() == 1);
        JsonNode answer = api.list("/v1/sessions/web:1/messages?role=assistant").getFirst();
        assertEquals("default", answer.get("agent").asText(), "nobody configured or named an agent");
        assertEquals(
                "default", api.get("/v1/sessions/web:1").json().get("agent").asText());
    }

    @Test
    @Tag("P15")
    void theAgentRemembersEarlierTurns() {
        // Given
        api.say("web:memory", "my name is Ann");

        // When
        JsonNode turn = api.say("web:memory", "what is my name?");

        // Then
        assertTrue(turn.get("reply").asText().contains("Ann"), turn.toString());
    }

    @Test
    @Tag("P54")
    @Tag("P7")
    void theSameRequestThreeTimesIsOneTurn() {
        // When
        Set<String> ids = IntStream.range(0, 3)
                .mapToObj(i -> api.submit("web:once", "!say once", "same")
                        .json()
                        .get("id")
                        .asText())
                .collect(Collectors.toSet());

        // Then
        assertEquals(1, ids.size());
        api.say("web:once", "!say second");
        Awaitility.await().until(() -> api.list("/v1/sessions/web:once/turns").size() == 2);
    }

    @Test
    @Tag("I89")
    @Tag("K4")
    void invalidToolArgumentsAreReportedToTheModel() {
        // When the model repeats the results of its tools
        JsonNode turn = api.say("web:wrong", "!call echo {\"text\":5}\n!then");

        // Then
        assertTrue(
                turn.get("reply").asText().contains("error: /text: integer found, string expected"), turn.toString());
        Awaitility.await()
                .until(() ->
                        api.list("/v1/sessions/web:wrong/messages").toString().contains("integer found"));
        JsonNode part = api.list("/v1/sessions/web:wrong/messages?role=assistant")
                .getFirst()
                .get("parts")
                .findParents("arguments")
                .getFirst();
        assertEquals("error", part.get("status").asText(), part.toString());
    }

    @Test
    @Tag("I109")
    @Tag("I110")
    void modelMaintainsATodoList() {
        // Given
        String todo = "{\"content\":\"A\",\"activeForm\":\"Doing\",\"status\":\"in_progress\"}";

        // When
        JsonNode turn = api.say("web:todos", """
            !call todo_write {"todos":[%1$s]}
            !then
            !call todo_write {"todos":[%1$s,%1$s]}
            !call todo_read {}
            !then\
            """.formatted(todo));

        // Then
        String reply = turn.get("reply").asText();
        assertTrue(reply.contains("error: 2 todos are in_progress"), reply);
        assertTrue(reply.contains(todo), reply);
        Awaitility.await().until(() -> api.list("/v1/sessions/web:todos/todos").size() == 1);
    }

    @Test
    @Tag("P13")
    @Tag("I120")
    @Tag("O2")
    void concurrentFirstMessagesOpenOneSessionWithSequentialTurns() throws ExecutionException, InterruptedException {
        // When
        List<Future<JsonNode>> turns;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            turns = IntStream.range(0, 20)
                    .mapToObj(i -> threads.submit(() -> api.say("web:crowd", "!say " + i)))
                    .toList();
        }

        // Then
        var seqs = new java.util.TreeSet<Integer>();
        for (Future<JsonNode> turn : turns) {
            seqs.add(turn.get().get("seq").asInt());
        }
        assertEquals(IntStream.rangeClosed(1, 20).boxed().collect(Collectors.toSet()), seqs);
        Awaitility.await()
                .until(() ->
                        count("select count(*) from sessions.agent_session_t where session_key = 'web:crowd'") == 1);
        Awaitility.await().until(() -> count("""
            select count(*) from sessions.agent_turn_t t join sessions.agent_session_t s using (host_id, session_id)
            where s.session_key = 'web:crowd' and t.state = 'COMPLETED'\
            """) == 20);
        assertEquals(0, count("""
            select count(*) from (
              select t.started_ts, lag(t.completed_ts) over (order by t.turn_seq) as before
              from sessions.agent_turn_t t join sessions.agent_session_t s using (host_id, session_id)
              where s.session_key = 'web:crowd') turns
            where started_ts < before\
            """));
    }

    @Test
    @Tag("P37")
    @Tag("I73")
    void toolsRunAndTheirResultsAreStored() {
        // When
        JsonNode turn =
                api.say("web:tools", "!call echo {\"text\":\"one\"}\n!call echo {\"text\":\"two\"}\n!then\n!say done");

        // Then
        assertEquals("done", turn.get("reply").asText());
        Awaitility.await().until(() -> count("""
            select count(*) from sessions.agent_message_part_t p join sessions.agent_session_t s using (host_id, session_id)
            where s.session_key = 'web:tools' and p.kind = 'tool' and p.tool_status = 'completed'\
            """) == 2);
    }

    @Test
    @Tag("I71")
    void joinedTokensAreTheFinalText() {
        // When
        var lines = api.stream("/v1/chat", Map.of("session", "web:stream", "text", "!stream 30 words over 1s"))
                .toList();

        // Then
        String joined =
                data(lines, "token").map(token -> token.get("text").asText()).collect(Collectors.joining());
        String reply = data(lines, "done")
                .map(event -> event.get("text").asText())
                .findFirst()
                .orElseThrow();
        assertEquals(reply, joined);
    }

    @Test
    @Tag("I109")
    void streamsProgressFromTheTodoList() {
        // When
        var lines = api.stream("/v1/chat", Map.of("session", "web:progress", "text", """
            !call todo_write {"todos":[{"content":"A","activeForm":"Doing A","status":"in_progress"}]}
            !then
            !call todo_write {"todos":[{"content":"A","activeForm":"Doing A","status":"completed"}]}
            !then
            !say done\
            """))
                .toList();

        // Then
        assertEquals(
                List.of("Doing A", ""),
                data(lines, "progress").map(event -> event.get("text").asText()).toList());
    }

    private static java.util.stream.Stream<JsonNode> data(List<String> lines, String event) {
        return IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).replace(" ", "").equals("event:" + event))
                .mapToObj(i -> lines.subList(i, lines.size()).stream()
                        .filter(line -> line.startsWith("data:"))
                        .findFirst()
                        .orElseThrow())
                .map(line -> Api.json(line.substring(5)));
    }

    @Test
    void subscriberGetsTheStartedEventWithinASecond() {
        // Given
        record TimedEvent(String event, Duration after) {}
        api.say("web:watch", "!say warm");
        Instant start = Instant.now();

        // When
        var events = api.stream("/v1/chat", Map.of("session", "web:watch", "text", "!delay 2s\n!say late"))
                .filter(line -> line.startsWith("event:"))
                .map(line -> new TimedEvent(
                        line.substring("event:".length()).strip(), Duration.between(start, Instant.now())))
                .toList();

        // Then
        assertEquals(
                List.of("accepted", "started"),
                events.subList(0, 2).stream().map(TimedEvent::event).toList());
        assertTrue(events.get(1).after().toMillis() < 1_000, events.toString());
        assertTrue(events.getLast().after().toMillis() >= 2_000, events.toString());
    }

    @Test
    @Tag("P47")
    @Tag("K22")
    void stoppedTurnKeepsItsPartialReply() {
        // Given
        JsonNode turn =
                api.submit("web:stop", "!stream 600 words over 60s", "long").json();
        Awaitility.await()
                .until(() -> api.get("/v1/turns/" + turn.get("id").asText())
                        .json()
                        .path("state")
                        .asText()
                        .equals("RUNNING_MODEL"));
        Instant start = Instant.now();

        // When
        api.delete("/v1/sessions/web:stop/run");

        // Then
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> api.get("/v1/turns/" + turn.get("id").asText())
                        .json()
                        .get("state")
                        .asText()
                        .equals("CANCELLED"));
        assertTrue(Duration.between(start, Instant.now()).toMillis() < 5_000);
        Awaitility.await()
                .until(() -> api.get("/v1/sessions/web:stop/messages").text().contains("\"interrupted\":true"));
    }

    @Test
    @Tag("P4")
    void sessionIsTitledByItsFirstTurn() {
        // Given
        api.say("web:about", "Which roses grow in the shade?");
        JsonNode first = Awaitility.await()
                .until(
                        () -> api.get("/v1/sessions/web:about").json(),
                        session -> session.path("messageCount").asInt() == 2
                                && session.path("activeTurn").isNull()); // the title is set when the first turn ends

        // When
        api.say("web:about", "!say those");

        // Then
        JsonNode second = Awaitility.await()
                .until(
                        () -> api.get("/v1/sessions/web:about").json(),
                        session -> session.path("messageCount").asInt() == 4);
        assertEquals("Which roses grow in the shade?", first.get("title").asText());
        assertEquals(first.get("title"), second.get("title"));
        assertEquals("scripted", second.get("model").asText());
        assertEquals(first.get("createdAt"), second.get("createdAt"));
        assertTrue(Instant.parse(second.get("updatedAt").asText())
                .isAfter(Instant.parse(first.get("updatedAt").asText())));
    }

    @Test
    @Tag("I62")
    @Tag("I76")
    @Tag("K3")
    void repliesReferToTheirUserMessageAndListModelCallsAsSteps() {
        // Given
        String arguments = "{\"text\" :   \"x\"}";
        api.say("web:steps", "!call echo " + arguments + "\n!then\n!say done");

        // When
        List<JsonNode> messages = Awaitility.await()
                .until(
                        () -> api.list("/v1/sessions/web:steps/messages"),
                        found -> found.stream()
                                .anyMatch(message ->
                                        message.path("finishReason").asText().equals("stop")));

        // Then
        JsonNode question = messages.stream()
                .filter(message -> message.get("role").asText().equals("user"))
                .findFirst()
                .orElseThrow();
        List<JsonNode> answers = messages.stream()
                .filter(message -> message.get("role").asText().equals("assistant"))
                .toList();
        List<JsonNode> parts = answers.stream()
                .flatMap(message -> StreamSupport.stream(message.get("parts").spliterator(), false))
                .toList();
        assertTrue(answers.stream().allMatch(answer -> answer.get("parentId").equals(question.get("id"))));
        assertEquals(2, count(parts, "step-start"));
        assertEquals(2, count(parts, "step-finish"));
        assertTrue(parts.stream()
                .filter(part -> part.get("kind").asText().equals("step-finish"))
                .allMatch(part -> part.path("usage").path("output").asLong() > 0));
        assertEquals(
                List.of(arguments),
                parts.stream()
                        .filter(part -> part.get("kind").asText().equals("tool"))
                        .map(part -> part.get("arguments").asText())
                        .toList());
    }

    @Test
    @Tag("I62")
    void retriedReplyIsASiblingOfTheFirst() {
        // Given
        String session = "/v1/sessions/web:again";
        api.say("web:again", "!say before");
        api.say("web:again", "what is it?");
        api.say("web:again", "!say after");
        List<JsonNode> before = awaitMessages(session, 6);
        JsonNode first = before.get(3);

        // When
        JsonNode turn = retry(session, first).json();
        JsonNode second = awaitMessages(session, 4).get(3);
        JsonNode secondRetry = retry(session, second).json();

        // Then
        assertEquals("COMPLETED", turn.get("state").asText());
        List<JsonNode> after = Awaitility.await()
                .until(
                        () -> api.list(session + "/messages"),
                        found -> found.size() == 4 && found.get(3).get("turn").equals(secondRetry.get("id")));
        assertEquals(
                before.subList(0, 3).stream().map(message -> message.get("id")).toList(),
                after.subList(0, 3).stream().map(message -> message.get("id")).toList());
        assertEquals(first.get("parentId"), after.get(3).get("parentId"));
        List<JsonNode> siblings = api.list(session + "/messages?reverted=true").stream()
                .filter(message -> first.get("parentId").equals(message.get("parentId")))
                .toList();
        assertEquals(
                List.of(first.get("id"), second.get("id"), after.get(3).get("id")),
                siblings.stream().map(message -> message.get("id")).toList());

        // When
        api.post(session + "/revert", Map.of());

        // Then
        assertEquals(2, awaitMessages(session, 2).size(), "the question goes with its answer");
        assertEquals(404, retry(session, second).status());
    }

    private static Api.Answer retry(String session, JsonNode answer) {
        return api.send("POST", session + "/messages/" + answer.get("id").asText() + "/retry?wait=60s", null, Map.of());
    }

    private static List<JsonNode> awaitMessages(String session, int count) {
        return Awaitility.await()
                .until(
                        () -> api.list(session + "/messages"),
                        found -> found.size() == count
                                && found.stream().allMatch(message -> message.hasNonNull("completedAt")));
    }

    private static long count(List<JsonNode> parts, String kind) {
        return parts.stream()
                .filter(part -> part.get("kind").asText().equals(kind))
                .count();
    }

    @Test
    @Tag("I43")
    @Tag("P28")
    void delegateSessionsAreChildrenOfTheCallingSession() {
        // Given
        api.say("web:parent", "!delegate explore !say I found it\n!then\n!say thanks");
        String parent = api.get("/v1/sessions/web:parent").json().get("id").asText();

        // When
        List<JsonNode> children =
                Awaitility.await().until(() -> api.list("/v1/sessions?parentId=" + parent), found -> !found.isEmpty());

        // Then
        assertEquals(1, children.size());
        JsonNode child = children.getFirst();
        assertEquals(parent, child.get("parentId").asText());
        assertEquals("explore", child.get("agent").asText());
        assertEquals("web:parent:delegate:explore", child.get("key").asText());
        assertTrue(api.list("/v1/sessions?limit=200").stream()
                .noneMatch(session -> session.get("id").equals(child.get("id"))));
        assertEquals(
                List.of(), api.list("/v1/sessions?parentId=" + child.get("id").asText()));
    }

    @Test
    @Tag("I72")
    void reasoningIsStoredShownAndReturnedWithItsSignature() {
        // Given a provider that rejects reasoning whose signature does not match
        api.say("web:thinks", "!think step by step\n!call echo {\"text\":\"x\"}");

        // When
        JsonNode turn = api.say("web:thinks", "!say it goes on");

        // Then
        assertEquals("it goes on", turn.get("reply").asText());
        JsonNode reasoning = Awaitility.await()
                .until(
                        () -> api.list("/v1/sessions/web:thinks/messages?role=assistant").stream()
                                .flatMap(message -> StreamSupport.stream(
                                        message.get("parts").spliterator(), false))
                                .filter(part -> part.get("kind").asText().equals("reasoning"))
                                .findFirst()
                                .orElse(null),
                        Objects::nonNull);
        assertTrue(reasoning.toString().contains("step by step"), reasoning.toString());
        assertTrue(hasStoredSignature("web:thinks"), "the signature stands in the row");
    }

    private static boolean hasStoredSignature(String session) {
        String id = api.get("/v1/sessions/" + session).json().get("id").asText();
        return instance.beans()
                .getBean(Database.class)
                .in(
                        Tenant.ALL,
                        transaction ->
                                transaction.query("""
                                    SELECT count(*) FROM sessions.agent_message_part_t
                                    WHERE session_id = ? AND kind = 'reasoning' AND content->>'signature' LIKE 'scripted-%'
                                    """, row -> row.next() && row.getLong(1) == 1, UUID.fromString(id)));
    }

    @Test
    @Tag("H1")
    void replayRestoresADeletedHistory() {
        // Given
        api.say("web:history", "my name is Ann");
        api.say("web:history", "!call echo {\"text\":\"x\"}\n!then\n!say done");
        String path = "/v1/sessions/web:history/history";
        JsonNode before = Awaitility.await()
                .until(() -> api.get(path).json(), history -> history.toString().contains("done"));
        UUID id = UUID.fromString(
                api.get("/v1/sessions/web:history").json().get("id").asText());
        int deleted = instance.beans()
                .getBean(Database.class)
                .in(
                        Tenant.ALL,
                        transaction -> transaction.update(
                                "DELETE FROM sessions.agent_session_history_t WHERE session_id = ?", id));
        assertEquals(1, deleted);
        assertNotEquals(before, api.get(path).json());

        // When
        int status = Parley.commandLine(Instances.environment(folder.resolve("data")), Program.installed())
                .execute("replay");

        // Then
        assertEquals(0, status);
        Awaitility.await()
                .untilAsserted(() -> assertEquals(before, api.get(path).json()));
    }

    @Test
    @Tag("K15")
    void clearedContextsDoNotGrowTheHeap() throws Exception {
        // Given
        String text = "!say read\n" + "long ".repeat(2_000);
        clearRepeatedly(text, 2);
        long before = heapAfterCollection();

        // When
        clearRepeatedly(text, 100);

        // Then the messages, 10 MB in the store and as much in objects, are gone
        assertTrue(api.get("/v1/sessions/web:clears0/live").text().length() < text.length());
        // consumers that lag behind on a busy machine release their fetched records late
        Awaitility.await()
                .atMost(Duration.ofMinutes(3))
                .untilAsserted(() -> assertTrue(
                        heapAfterCollection() - before < 15 << 20,
                        () -> (heapAfterCollection() - before >> 10) + " KiB more"));
    }

    /** Submits a message and clears the context repeatedly, in ten sessions at once. */
    private static void clearRepeatedly(String text, int times) throws Exception {
        try (var people = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> last = IntStream.range(0, 10)
                    .mapToObj(i -> people.submit(() -> {
                        int seq = 0;
                        for (int n = 0; n < times; n++) {
                            seq = sayAndClear("web:clears" + i, text).get("seq").asInt();
                        }
                        return seq;
                    }))
                    .toList();
            for (Future<Integer> session : last) {
                assertTrue(session.get() >= times);
            }
        }
    }

    private static JsonNode sayAndClear(String session, String text) {
        JsonNode turn = api.say(session, text);
        Api.Answer cleared = api.post("/v1/sessions/" + session + "/context", Map.of("reset", "clear"));
        assertTrue(cleared.status() < 300, cleared.text());
        return turn;
    }

    private static long heapAfterCollection() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    @Tag("O5")
    void unreadableRecordsBecomeDeadLettersAndTurnsContinue() throws ExecutionException, InterruptedException {
        // Given
        long letters = deadLetters();
        int sent = 0;
        try (var producer = instance.beans().getBean(KafkaClients.class).producer("outsider")) {
            for (Topic<?> topic : List.of(
                    Topics.TURN_COMMANDS,
                    Topics.RESULTS,
                    Topics.TURN_EVENTS,
                    Topics.MODEL_REQUESTS,
                    Topics.TOOL_REQUESTS)) {
                for (var partition : producer.partitionsFor(topic.name())) {
                    sent++;
                    producer.send(new ProducerRecord<>(
                                    topic.name(),
                                    partition.partition(),
                                    "default/web:poison".getBytes(StandardCharsets.UTF_8),
                                    new byte[] {1, 2, 3}))
                            .get();
                }
            }
        }

        // When
        JsonNode turn = api.say("web:poison", "!call echo {\"text\":\"x\"}\n!then\n!say fine");

        // Then
        assertEquals("fine", turn.get("reply").asText());
        long expected = letters + sent;
        Awaitility.await().until(() -> deadLetters() >= expected);
        Awaitility.await().until(() -> api.list("/v1/sessions/web:poison/turns").size() == 1);
    }

    @Test
    @Tag("B173")
    void logsEachDeadLetterInOneLine() throws ExecutionException, InterruptedException {
        // Given
        List<Topic<?>> topics = List.of(
                Topics.TURN_COMMANDS,
                Topics.RESULTS,
                Topics.OUTCOMES,
                Topics.TURN_EVENTS,
                Topics.MODEL_REQUESTS,
                Topics.TOOL_REQUESTS,
                Topics.MEMORY_COMMANDS,
                Topics.MEMORY_EVENTS,
                Topics.RECALL_REQUESTS,
                Topics.EMBED_REQUESTS,
                Topics.WORKFLOW_COMMANDS,
                Topics.WORKFLOW_EVENTS,
                Topics.WORKFLOW_REQUESTS);
        String key = "default/bank:logged";
        try (var log = new LogCapture();
                var producer = instance.beans().getBean(KafkaClients.class).producer("outsider")) {
            // When
            for (Topic<?> topic : topics) {
                byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
                producer.send(new ProducerRecord<>(topic.name(), 0, bytes, new byte[] {1, 2, 3}))
                        .get();
            }

            // Then
            Awaitility.await()
                    .untilAsserted(() -> assertEquals(
                            topics.stream().map(Topic::name).sorted().toList(),
                            lettersOf(key).stream()
                                    .map(letter -> RecordSerde.header(letter.headers(), DeadLetters.TOPIC))
                                    .distinct()
                                    .sorted()
                                    .toList()));
            List<String> lines = log.text().lines().toList();
            for (ConsumerRecord<byte[], byte[]> letter : lettersOf(key)) {
                String place = "[topic=\"%s\", partition=\"0\", offset=\"%s\", by=\"%s\", cause=\""
                        .formatted(
                                RecordSerde.header(letter.headers(), DeadLetters.TOPIC),
                                RecordSerde.header(letter.headers(), DeadLetters.OFFSET),
                                RecordSerde.header(letter.headers(), DeadLetters.BY));
                assertEquals(
                        1,
                        lines.stream().filter(line -> line.contains(place)).count(),
                        () -> place + " in\n" + log.text());
            }
            assertFalse(log.text().contains("\n\tat "), log::text);
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> lettersOf(String key) {
        return records(Topics.DEAD_LETTERS).stream()
                .filter(letter -> RecordCodec.key(letter).equals(key))
                .toList();
    }

    @Test
    @Tag("O5")
    void listsDeadLettersAndRedrivesEachOnce() throws Exception {
        // Given a command that is a dead letter of a process that did not know its schema
        api.say("web:aside", "!say it was put aside");
        ConsumerRecord<byte[], byte[]> command = commands("default/web:aside").getFirst();
        String session = sessionOfSamePartition(command, "web:again");
        sendDeadLetter(command, session);

        // When
        JsonNode letter = Awaitility.await().until(() -> deadLetterOf(session), Objects::nonNull);
        String path = "/v1/dead-letters/" + letter.get("id").asText();
        JsonNode fullLetter = api.get(path).json();
        List<Api.Answer> answers = Stream.generate(() -> path)
                .limit(4)
                .parallel()
                .map(letterPath -> api.post(letterPath + "/redrive", Map.of()))
                .toList();

        // Then
        assertEquals("SubmitTurn", letter.get("type").asText());
        assertEquals("no schema 99", letter.get("cause").asText());
        assertTrue(fullLetter.get("value").toString().contains("it was put aside"), fullLetter.toString());
        assertTrue(
                answers.stream().allMatch(answer -> answer.status() == 200 || answer.status() == 409),
                answers::toString);
        assertEquals(1, commands(session).size(), "it was sent once, whoever asked");
        Awaitility.await()
                .until(() -> api.list("/v1/sessions/" + session.substring("default/".length()) + "/turns")
                                .size()
                        == 1);
        Api.Answer repeated = api.post(path + "/redrive", Map.of());
        assertEquals(200, repeated.status(), repeated.text());
        assertEquals(0, repeated.json().get("redriven").size());
        assertEquals(1, commands(session).size());
        assertTrue(deadLetterOf(session).get("redriven").isTextual());
    }

    @Test
    @Tag("O5")
    void commandLineRedrivesAllDeadLettersOfAConsumer() throws Exception {
        // Given
        api.say("web:kind", "!say one of many");
        ConsumerRecord<byte[], byte[]> command = commands("default/web:kind").getFirst();
        List<String> sessions =
                List.of(sessionOfSamePartition(command, "web:kind1"), sessionOfSamePartition(command, "web:kind2"));
        for (String session : sessions) {
            sendDeadLetter(command, session);
        }
        Awaitility.await().until(() -> sessions.stream().allMatch(session -> deadLetterOf(session) != null));

        // When
        String listed = parley("dead-letters", "list", "--by", "an older process");
        String sent = parley("dead-letters", "redrive", "--all", "--by", "an older process");
        String repeated = parley("dead-letters", "redrive", "--all", "--by", "an older process");

        // Then
        assertTrue(sessions.stream().allMatch(listed::contains), listed);
        assertTrue(sent.matches("\\d+ re-driven\\.\\R") && !sent.startsWith("0"), sent);
        assertEquals("0 re-driven.", repeated.strip());
        for (String session : sessions) {
            assertEquals(1, commands(session).size());
        }
    }

    @Test
    @Tag("O5")
    void redrivenRecordThatFailsAgainIsANewDeadLetter() throws Exception {
        // Given
        try (var producer = instance.beans().getBean(KafkaClients.class).producer("outsider")) {
            byte[] key = "default/web:garbage".getBytes(StandardCharsets.UTF_8);
            producer.send(new ProducerRecord<>(Topics.TURN_COMMANDS.name(), key, new byte[] {1, 2, 3}))
                    .get();
        }
        Awaitility.await().until(() -> deadLetterOf("default/web:garbage") != null);

        // When
        String sent = parley("dead-letters", "redrive", "--all", "--by", "decide-turn");

        // Then
        assertTrue(sent.matches("[1-9]\\d* re-driven\\.\\R"), sent);
        Awaitility.await()
                .until(() ->
                        !deadLetterOf("default/web:garbage").get("redriven").isTextual());
    }

    @Test
    @Tag("O5")
    void rejectsRedriveOfEventsAndUnknownDeadLetters() throws Exception {
        // Given
        api.say("web:fact", "!say a fact");
        ConsumerRecord<byte[], byte[]> command = commands("default/web:fact").getFirst();
        var event = new ConsumerRecord<>(Topics.TURN_EVENTS.name(), 0, 0, command.key(), command.value());
        try (var producer = instance.beans().getBean(KafkaClients.class).producer("test-aside")) {
            producer.send(DeadLetters.of(event, "a projector", new SerializationException("no event")))
                    .get();
        }
        JsonNode letter = Awaitility.await()
                .until(
                        () -> api.list("/v1/dead-letters?by=a%20projector").stream()
                                .findFirst()
                                .orElse(null),
                        Objects::nonNull);

        // When
        Api.Answer refused = api.post("/v1/dead-letters/" + letter.get("id").asText() + "/redrive", Map.of());

        // Then
        assertEquals("not_redrivable", refused.code(), refused.text());
        assertEquals(404, api.get("/v1/dead-letters/none").status());
        assertEquals(404, api.get("/v1/dead-letters/0-999999").status());
        assertEquals(404, api.get("/v1/dead-letters/999-0").status());
        assertEquals(
                404, api.post("/v1/dead-letters/0-999999/redrive", Map.of()).status());
        assertEquals(
                400, api.post("/v1/dead-letters/redrive", Map.of("limit", 5000)).status());
        assertEquals(400, api.get("/v1/dead-letters?from=yesterday").status());
    }

    @Test
    @Tag("O5")
    void operatorReadsAreFilteredPagedAndAudited() {
        // Given
        api.say("web:seen", "!say a wombat stands on a topic");
        IntStream.range(0, 15).forEach(n -> api.say("web:seen", "!say more than is read at once " + n));

        // When
        String path = "/v1/topics/turn-events/records";
        JsonNode found = api.get(path + "?text=A%20Wombat&key=default/web:seen").json();
        JsonNode page = api.get(path + "?limit=1").json();
        JsonNode next =
                api.get(path + "?limit=1&cursor=" + page.get("next").asText()).json();
        JsonNode record = api.get(
                        path + "/" + found.get("data").get(0).get("id").asText())
                .json();

        // Then
        assertEquals("end", found.get("read").get("stopped").asText(), found.toString());
        assertTrue(found.get("read").get("rows").asInt() > 64, found.toString());
        assertTrue(record.get("value").toString().contains("a wombat stands on a topic"), record.toString());
        assertEquals("limit", page.get("read").get("stopped").asText());
        assertNotEquals(
                page.get("data").get(0).get("id"), next.get("data").get(0).get("id"));
        assertTrue(api.get("/v1/topics").text().contains("\"name\":\"turn-events\""));
        Awaitility.await().untilAsserted(() -> {
            List<String> read = api.list("/v1/audit?source=topic").stream()
                    .map(entry -> entry.get("subject").asText())
                    .filter(subject -> subject.contains("turn-events"))
                    .toList();
            assertEquals(4, read.size(), read::toString);
        });
    }

    @Test
    @Tag("O5")
    void topicRecordsHideKeyHashesAndInvalidRequestsAreRejected() {
        // Given
        assertEquals(201, api.post("/v1/api-keys", Map.of("name", "to be seen")).status());
        JsonNode published = Awaitility.await()
                .until(
                        () -> api.list("/v1/topics/access/records?key=key/&limit=1").stream()
                                .findFirst()
                                .orElse(null),
                        Objects::nonNull);

        // When
        String id = published.get("id").asText();
        Api.Answer key = api.get("/v1/topics/access/records/" + id);

        // Then
        assertEquals("hidden", key.json().get("value").get("hash").asText(), key.text());
        assertEquals("", key.json().get("start").asText());
        assertEquals(404, api.get("/v1/topics/nothing/records").status());
        assertEquals(404, api.get("/v1/topics/access/records/0-999999").status());
        assertEquals(404, api.get("/v1/topics/access/records/none").status());
        assertEquals(400, api.get("/v1/topics/access/records?partition=99").status());
        assertEquals(400, api.get("/v1/topics/access/records?cursor=x").status());
    }

    @Test
    @Tag("O5")
    void deadLettersHideUnreadableBytesThatMayHaveTheDigestOfAKey() throws Exception {
        // Given
        byte[] key = "key/unreadable".getBytes(StandardCharsets.UTF_8);
        var record = new ConsumerRecord<>(Topics.ACCESS.name(), 0, 0, key, new byte[] {1, 2, 3});
        try (var producer = instance.beans().getBean(KafkaClients.class).producer("test-aside")) {
            producer.send(DeadLetters.of(record, "a follower", new SerializationException("no schema")))
                    .get();
        }
        JsonNode letter = Awaitility.await()
                .until(
                        () -> api.list("/v1/dead-letters?by=a%20follower").stream()
                                .findFirst()
                                .orElse(null),
                        Objects::nonNull);

        // When
        JsonNode whole =
                api.get("/v1/dead-letters/" + letter.get("id").asText()).json();

        // Then
        assertTrue(whole.get("value").isNull(), whole.toString());
        assertEquals("", whole.get("start").asText());
        assertEquals(3, whole.get("letter").get("bytes").asInt());
    }

    private static String parley(String... command) {
        var arguments = Stream.concat(Stream.of(command), Stream.of("--url", api.url(), "--key", api.key()));
        var run = CommandRun.of(Map.of(), arguments.toArray(String[]::new));
        assertEquals(0, run.status(), run.output());
        return run.out();
    }

    /** The key of another session of the same partition. */
    private static String sessionOfSamePartition(ConsumerRecord<byte[], byte[]> command, String name) {
        int partitions;
        try (var producer = instance.beans().getBean(KafkaClients.class).producer("test-neighbours")) {
            partitions = producer.partitionsFor(command.topic()).size();
        }
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "default/" + name + "-" + i)
                .filter(key -> BuiltInPartitioner.partitionForKey(key.getBytes(StandardCharsets.UTF_8), partitions)
                        == command.partition())
                .findFirst()
                .orElseThrow();
    }

    /** Sends a dead letter of a command like this one, which has not been executed. */
    private static void sendDeadLetter(ConsumerRecord<byte[], byte[]> template, String session) throws Exception {
        var submitTurn = (SubmitTurn) RecordCodec.read(Topics.TURN_COMMANDS, template);
        CommandMeta meta = submitTurn.meta();
        UUID id = UUID.randomUUID();
        var command = new SubmitTurn(
                new CommandMeta(id, meta.host(), meta.at(), meta.user(), null, null),
                submitTurn.origin(),
                id.toString(),
                submitTurn.mode(),
                submitTurn.agent(),
                submitTurn.settings(),
                submitTurn.content(),
                submitTurn.channel(),
                submitTurn.channelId(),
                submitTurn.replyTo(),
                submitTurn.parent(),
                submitTurn.shared(),
                null,
                List.of());
        var sent = SignedRecords.sign(
                Records.signatures(folder.resolve("data")),
                RecordCodec.record(Topics.TURN_COMMANDS, session, command, id, null));
        var record = new ConsumerRecord<>(
                template.topic(), template.partition(), template.offset(), sent.key(), sent.value());
        sent.headers().forEach(record.headers()::add);
        try (var producer = instance.beans().getBean(KafkaClients.class).producer("test-aside")) {
            producer.send(DeadLetters.of(record, "an older process", new SerializationException("no schema 99")))
                    .get();
        }
    }

    private static JsonNode deadLetterOf(String session) {
        return api.list("/v1/dead-letters?limit=200&topic=turn-commands").stream()
                .filter(letter -> letter.get("key").asText().equals(session))
                .findFirst()
                .orElse(null);
    }

    /** The commands of a session. */
    private static List<ConsumerRecord<byte[], byte[]>> commands(String session) {
        return records(Topics.TURN_COMMANDS).stream()
                .filter(record -> RecordCodec.key(record).equals(session))
                .filter(record -> record.headers().lastHeader("ce_type") != null)
                .toList();
    }

    private static long deadLetters() {
        return records(Topics.DEAD_LETTERS).size();
    }

    private static List<ConsumerRecord<byte[], byte[]>> records(Topic<?> topic) {
        var clients = instance.beans().getBean(KafkaClients.class);
        try (var consumer = clients.consumer("test-letters", null, Map.of())) {
            var partitions = KafkaClients.partitions(consumer, topic);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            var endOffsets = consumer.endOffsets(partitions);
            while (endOffsets.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
            return records;
        }
    }

    @Test
    @Tag("P58")
    void runsWithoutSettingsAndRejectsUnknownOnes() throws IOException {
        // Given the process of this test, which is configured with its data folder only
        assertTrue(Files.notExists(folder.resolve("parley.yml")));
        Path good = Files.writeString(
                folder.resolve("good.yml"), "roles: tools\nagents: [{name: poet, model: scripted/x}]\n");
        Path bad = Files.writeString(folder.resolve("bad.yml"), "agents: [{name: poet, modell: scripted/x}]\n");
        String elsewhere = folder.resolve("elsewhere").toString();

        // When
        JsonNode turn = api.say("web:settings", "hello");
        CommandRun none = CommandRun.of(Instances.environment(folder.resolve("data")), "validate-config");
        CommandRun read = CommandRun.of(Map.of(), "validate-config", "--config", good.toString(), "--roles", "all");
        CommandRun help = CommandRun.of(Map.of(), "--help");
        CommandRun started =
                CommandRun.of(Map.of(), "dev", "--config", bad.toString(), "--data", elsewhere, "--port", "0");

        // Then
        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
        assertEquals(0, none.status(), none.output());
        assertTrue(none.output().contains("default → scripted/scripted"), none.output());
        assertEquals(0, read.status(), read.output());
        assertTrue(read.output().contains("poet → scripted/x"), read.output());
        assertTrue(read.output().contains("sessions"), "the flag goes before the file: " + read.output());
        assertTrue(help.output().contains("validate-config") && help.output().contains("dev"), help.output());
        assertEquals(1, started.status(), started.output());
        assertTrue(started.output().contains("modell: is unknown"), started.output());
        assertTrue(Files.notExists(Path.of(elsewhere)), "nothing was begun");
    }

    @Test
    @Tag("O9")
    void topicIsReadableWithTheContractAndTheRegistryOnly() throws Exception {
        // Given
        api.say("web:stranger", "!call echo {\"text\":\"read by a stranger\"}\n!then\n!say done");
        JsonNode contract = new YAMLMapper()
                .readTree(Files.newInputStream(Path.of("../../schemas/asyncapi.yaml")))
                .at("/channels/turn-events/messages");

        // When
        List<ExternalEvent> events = externalEvents("default/web:stranger");

        // Then
        assertEquals(
                IntStream.rangeClosed(1, events.size())
                        .mapToObj(seq -> "default/web:stranger#" + seq)
                        .toList(),
                events.stream().map(ExternalEvent::key).toList());
        for (ExternalEvent event : events) {
            assertEquals(event.type(), event.value().getSchema().getName());
            assertTrue(contract.has(event.type()), event.type());
        }
        assertEquals("SessionOpened", events.getFirst().type());
        assertEquals("TurnCompleted", events.getLast().type());
        assertEquals(
                List.of("read by a stranger"),
                events.stream()
                        .filter(event -> event.type().equals("ToolCalled"))
                        .map(event -> event.value().get("content").toString())
                        .toList());
    }

    /** A record as read by a consumer without Parley's code. */
    private record ExternalEvent(String key, String type, GenericRecord value) {}

    /** The events of a session, read with a Kafka consumer, Avro, and the schemas of the HTTP registry. */
    private static List<ExternalEvent> externalEvents(String session) throws IOException {
        var broker =
                new ObjectMapper().readTree(folder.resolve("data/runtime.json").toFile());
        var settings = new HashMap<String, Object>(
                Records.clients(folder.resolve("data")).security());
        settings.put("bootstrap.servers", broker.path("kafka").asText());
        settings.put("isolation.level", "read_committed");
        var events = new ArrayList<ExternalEvent>();
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new ByteBufferDeserializer())) {
            var partitions = consumer.partitionsFor("turn-events").stream()
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var endOffsets = consumer.endOffsets(partitions);
            while (endOffsets.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (var record : consumer.poll(Duration.ofMillis(200))) {
                    if (record.key().startsWith(session + "#")) {
                        events.add(new ExternalEvent(
                                record.key(),
                                new String(
                                        record.headers().lastHeader("ce_type").value(), StandardCharsets.UTF_8),
                                decode(record.value())));
                    }
                }
            }
        }
        return events;
    }

    private static GenericRecord decode(ByteBuffer bytes) throws IOException {
        assertEquals(0, bytes.get());
        JsonNode answer = api.get("/registry/schemas/ids/" + bytes.getInt()).json();
        Schema schema = new Schema.Parser().parse(answer.path("schema").asText());
        byte[] value = new byte[bytes.remaining()];
        bytes.get(value);
        return new GenericDatumReader<GenericRecord>(schema)
                .read(null, DecoderFactory.get().binaryDecoder(value, null));
    }

    @Test
    @Tag("K1")
    void rolesKeepTheirAvroNumbersAndSystemMessagesAreOmitted() throws IOException {
        // Given
        var messages = List.of(
                Map.of("role", "system", "content", "Be brief."),
                Map.of("role", "user", "content", "call it"),
                Map.of(
                        "role",
                        "assistant",
                        "content",
                        "",
                        "tool_calls",
                        List.of(Map.of(
                                "id",
                                "call_1",
                                "type",
                                "function",
                                "function",
                                Map.of("name", "echo", "arguments", "{}")))),
                Map.of("role", "tool", "tool_call_id", "call_1", "content", "called"),
                Map.of("role", "assistant", "content", "It is done."));
        api.create("/v1/sessions/import", Map.of("format", "openai", "key", "web:roles", "messages", messages));

        // When
        var roles = new ArrayList<Schema>();
        var numbers = new ArrayList<Integer>();
        for (ExternalEvent event : externalEvents("default/web:roles")) {
            if (event.value().hasField("entries") && event.value().get("entries") instanceof Collection<?> entries) {
                entries.forEach(entry -> {
                    var message = (GenericRecord) ((GenericRecord) entry).get("message");
                    Schema role = message.getSchema().getField("role").schema();
                    roles.add(role);
                    numbers.add(role.getEnumOrdinal(message.get("role").toString()));
                });
            }
        }

        // Then an enum is encoded as the number of its symbol
        assertEquals(List.of(0, 1, 2, 1), numbers);
        assertEquals(List.of("USER", "ASSISTANT", "TOOL"), roles.getFirst().getEnumSymbols());
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        List.of("user", "assistant", "tool", "assistant"),
                        api.get("/v1/sessions/web:roles/history")
                                .json()
                                .path("messages")
                                .findValuesAsText("role")));
    }

    @Test
    void rejectsInvalidRequestsByStatus() {
        String turns = "/v1/sessions/web:bad/turns";
        assertRefused(400, api.post(turns, "{\"txt\":\"hello\"}"));
        assertRefused(400, api.post(turns, "{\"text\":\"\"}"));
        assertRefused(400, api.post(turns, "{"));
        assertRefused(404, api.get("/v1/sessions/web:unknown"));
        assertRefused(401, new Api(api.url(), "wrong-key-wrong-key").get("/v1/sessions"));
        assertRefused(413, api.post(turns, Map.of("text", "x".repeat(17 << 20))));
    }

    private static void assertRefused(int status, Api.Answer answer) {
        assertEquals(status, answer.status(), answer.text());
        String detail = answer.json().path("detail").asText();
        assertTrue(detail.matches("\\S+( \\S+){2,}"), answer.text());
    }

    @Test
    @Tag("I45")
    @Tag("I44")
    void anArchivedSessionTakesNoTurnsUntilItIsReopened() {
        // Given
        api.say("web:archive", "!say hi");
        api.post("/v1/sessions/web:archive/archive", Map.of());

        // Then
        assertEquals(409, api.submit("web:archive", "hello?", "a").status());

        // When
        api.post("/v1/sessions/web:archive/reopen", Map.of());

        // Then
        assertEquals("back", api.say("web:archive", "!say back").get("reply").asText());
    }

    @Test
    @Tag("H2")
    void twoWritersAtOnceLoseNoMessage() throws ExecutionException, InterruptedException {
        // When
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writers = List.of("ann", "bob").stream()
                    .map(name -> threads.submit(() -> IntStream.range(0, 10)
                            .forEach(i -> assertEquals(
                                    202,
                                    api.submit("web:writers", "!say " + name + i, name + i)
                                            .status()))))
                    .toList();
            for (Future<?> writer : writers) {
                writer.get();
            }
        }
        Awaitility.await()
                .until(() -> api.list("/v1/sessions/web:writers/turns?limit=100").stream()
                                .filter(turn -> turn.get("state").asText().equals("COMPLETED"))
                                .count()
                        == 20);

        // Then
        var expected = IntStream.range(0, 20)
                .mapToObj(i -> (i < 10 ? "ann" : "bob") + i % 10)
                .sorted()
                .toList();
        assertEquals(expected, texts("assistant"));
        assertEquals(expected.stream().map(text -> "!say " + text).toList(), texts("user"));
        assertEquals(
                IntStream.rangeClosed(1, 20).boxed().toList(),
                api.list("/v1/sessions/web:writers/turns?limit=100").stream()
                        .map(turn -> turn.get("seq").asInt())
                        .toList());
        assertEquals(
                40,
                api.get("/v1/sessions/web:writers").json().get("messageCount").asInt());
        assertEquals(0, count("""
            select count(*) from sessions.agent_session_t s join sessions.agent_message_t m using (host_id, session_id)
            where s.session_key = 'web:writers' and m.aggregate_version > s.aggregate_version\
            """));
    }

    private static List<String> texts(String role) {
        return api.list("/v1/sessions/web:writers/messages?limit=100&role=" + role).stream()
                .flatMap(message -> message.findParents("text").stream())
                .map(part -> part.get("text").asText())
                .sorted()
                .toList();
    }

    @Test
    @Tag("K8")
    @Tag("K10")
    @Tag("K11")
    void importedConversationContinues() {
        // Given
        var messages = List.of(
                Map.of("role", "system", "content", "You are a pirate."),
                Map.of("role", "user", "content", "my name is Zoe"),
                Map.of(
                        "role",
                        "assistant",
                        "content",
                        "",
                        "tool_calls",
                        List.of(Map.of(
                                "id",
                                "call_1",
                                "type",
                                "function",
                                "function",
                                Map.of("name", "remember", "arguments", "{}")))),
                Map.of("role", "assistant", "content", "Nice to meet you."));

        // When
        Object body = Map.of("format", "openai", "key", "web:moved", "title", "Moved in", "messages", messages);
        Api.Answer moved = api.post("/v1/sessions/import", body, Map.of("Idempotency-Key", "moved"));

        // Then
        assertEquals(201, moved.status(), moved.text());
        assertEquals(4, moved.json().path("messages").asInt(), "a call without a result gets one");
        assertEquals(
                "instructions come from the agent",
                moved.json().at("/leftOut/0/reason").asText());
        assertTrue(
                api.say("web:moved", "what is my name?").path("reply").asText().contains("Zoe"));
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        List.of("my name is Zoe", "what is my name?"),
                        api.list("/v1/sessions/web:moved/messages?role=user").stream()
                                .flatMap(message -> message.findParents("text").stream())
                                .map(part -> part.get("text").asText())
                                .sorted()
                                .toList()));
        assertEquals(
                "Moved in",
                api.get("/v1/sessions/web:moved").json().path("title").asText());

        assertEquals(
                201,
                api.post("/v1/sessions/import", body, Map.of("Idempotency-Key", "moved"))
                        .status(),
                "the same request again");
        assertEquals("session_exists", api.post("/v1/sessions/import", body).code());
    }

    @Test
    @Tag("K13")
    void rejectsInvalidConversations() {
        assertEquals("invalid_format", importErrorCode(Map.of("format", "irc", "messages", List.of(1))));
        assertEquals("invalid_messages", importErrorCode(Map.of("format", "openai")));
        assertEquals("invalid_messages", importErrorCode(Map.of("format", "openai", "messages", List.of())));
        assertEquals("invalid_messages", importErrorCode(Map.of("format", "rows", "messages", List.of("hello", 7))));
        var hi = List.of(Map.of("role", "user", "content", "hi"));
        assertEquals("unknown_agent", importErrorCode(Map.of("format", "openai", "messages", hi, "agent", "nobody")));
        var tooLong = List.of(Map.of("role", "user", "content", "x".repeat(1_100_000)));
        assertEquals("too_large", importErrorCode(Map.of("format", "anthropic", "messages", tooLong)));
    }

    private static String importErrorCode(Map<String, Object> body) {
        return api.post("/v1/sessions/import", body).code();
    }

    private static long count(String sql) {
        Database database = instance.beans().getBean(Database.class);
        try (Connection connection = database.reading(Tenant.ALL);
                ResultSet rows = connection.createStatement().executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void emailSignInWithoutAMailServerIsRejected() {
        Api.Answer answer = api.post("/v1/auth/email", Map.of("email", "somebody@example.com"));

        assertEquals(501, answer.status(), answer.text());
        assertEquals("mail_not_configured", answer.json().path("code").asText());
        assertEquals(
                "{\"data\":[],\"email\":false}", api.get("/v1/auth/providers").text());
    }
}

package dev.parley.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.server.Api.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workflows and Kafka topics: AsyncAPI messages that they publish or subscribe to, and records as events. */
class WorkflowTopicsIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance instance;
    private static Api api;
    private static KafkaClients clients;
    private static Producer<byte[], byte[]> producer;
    private HttpDouble documents;

    @BeforeAll
    static void start() throws Exception {
        servers = new Servers(folder);
        clients = servers.clients();
        producer = clients.producer("test");
        try (var admin = clients.admin("test")) {
            admin.createTopics(List.of("published", "consumed", "followed", "orders").stream()
                            .map(name -> new NewTopic(name, 2, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
        Files.writeString(folder.resolve("parley.yml"), """
                tools: { allowedHosts: [{ host: 127.0.0.1, hosts: [default], projects: ["*"] }] }
                workflows:
                  kafka: [ { servers: "%1$s", properties: { security.protocol: SASL_PLAINTEXT, sasl.mechanism: PLAIN,
                             sasl.jaas.config: 'org.apache.kafka.common.security.plain.PlainLoginModule required
                               username="parley" password="file:%2$s";' } } ]
                  topics:
                    - { topic: orders, type: test.order }
                    - { topic: parcels, type: test.parcel, source: 'urn:parcels', servers: "%1$s" }
                """.formatted(
                        servers.clients().bootstrap(), folder.resolve("infra/kafka.password")));
        Map<String, String> environment = servers.environment("parley", 2);
        instance = Instances.start(environment);
        api = Api.of(instance);
    }

    @AfterAll
    static void stop() {
        producer.close();
        instance.close();
        servers.close();
    }

    @BeforeEach
    void openDouble() throws IOException {
        documents = new HttpDouble();
    }

    @AfterEach
    void closeDouble() {
        documents.close();
    }

    // ---- helpers

    /** Publishes the first version of a workflow. */
    private void given(String name, String body) {
        String head = "document: { dsl: '1.0.3', namespace: test, name: %s, version: '1.0.0' }\n".formatted(name);
        Answer published = api.postYaml(
                "/v1/workflows", head + body.replace("$URL", documents.url().toString()));
        assertEquals(201, published.status(), published.text());
    }

    /** Serves an AsyncAPI document that maps a channel to this topic of this broker. */
    private void document(String broker, String topic) {
        documents.answers(HttpDouble.json(200, """
                {"asyncapi": "3.0.0",
                 "servers": {"broker": {"host": "%s", "protocol": "kafka"}},
                 "channels": {"topic": {"address": "%s"}},
                 "operations": {"use": {"action": "send", "channel": {"$ref": "#/channels/topic"}}}}
                """.formatted(broker, topic)));
    }

    private static JsonNode run(String name, Map<String, ?> input) {
        Answer answer = api.post("/v1/workflows/test:" + name + "/instances?wait=60s", Map.of("input", input));
        assertEquals(200, answer.status(), answer.text());
        return answer.json();
    }

    private static String startProcess(String name) {
        return api.post("/v1/workflows/test:" + name + "/instances", null)
                .json()
                .path("id")
                .asText();
    }

    private static void awaitWaiting(String process) {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.get("/v1/processes/" + process + "?fresh=true")
                        .json()
                        .path("status")
                        .asText()
                        .equals("W"));
    }

    private static JsonNode awaitEnd(String process) {
        JsonNode completed = api.get("/v1/processes/" + process + "?wait=60s").json();
        assertEquals("C", completed.path("status").asText(), completed.toString());
        return completed;
    }

    private static void send(ProducerRecord<byte[], byte[]> record) {
        try {
            producer.send(record).get();
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void send(String topic, String value) {
        send(new ProducerRecord<>(topic, value.getBytes(UTF_8)));
    }

    /** All records of a topic. */
    private static List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        var partitions = List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1));
        var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        try (var consumer = clients.consumer("test", null, Map.of())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long count = consumer.endOffsets(partitions).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            Awaitility.await().atMost(SOON).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                return records.size() == count;
            });
        }
        return records;
    }

    // ---- call: asyncapi

    @Test
    @Tag("W29")
    void publishesAMessageWithKeyHeadersAndIdempotencyKey() {
        // Given
        given("publish", """
                do:
                  - tell:
                      call: asyncapi
                      idempotencyKey: '${ "order-" + .id }'
                      with:
                        document: { endpoint: '$URL/asyncapi.json' }
                        operation: use
                        message: { key: '${ .id }', payload: { order: '${ .id }' }, headers: { shop: north } }
                """);
        document(servers.clients().bootstrap(), "published");

        // When
        JsonNode process = run("publish", Map.of("id", "o-1"));

        // Then
        assertEquals("C", process.path("status").asText(), process.toString());
        assertEquals("published", process.path("output").path("topic").asText());
        ConsumerRecord<byte[], byte[]> record = records("published").getFirst();
        assertEquals("{\"order\":\"o-1\"}", new String(record.value(), UTF_8));
        assertEquals("o-1", new String(record.key(), UTF_8));
        assertEquals("north", new String(record.headers().lastHeader("shop").value(), UTF_8));
        assertEquals(
                "order-o-1",
                new String(record.headers().lastHeader("idempotency-key").value(), UTF_8));
        assertEquals(record.offset(), process.path("output").path("offset").asLong());
    }

    @Test
    @Tag("W29")
    void aMessageIsPostedToAChannelOfHttp() {
        // Given
        given("post", """
                do:
                  - tell:
                      call: asyncapi
                      with:
                        document: { endpoint: '$URL/asyncapi.json' }
                        channel: /notices
                        message: { payload: { n: 1 }, headers: { X-Shop: north } }
                """);
        documents.answers(
                HttpDouble.json(200, """
                        {"asyncapi": "2.6.0", "servers": {"web": {"url": "%s/api", "protocol": "http"}},
                         "channels": {"/notices": {"publish": {"message": {}}}}}""".formatted(documents.url())), HttpDouble.json(200, "{\"taken\":true}"));

        // When
        JsonNode process = run("post", Map.of());

        // Then
        assertTrue(process.path("output").path("taken").asBoolean(), process.toString());
        assertEquals(
                "POST /api/notices",
                documents.seen().get(1).method() + " " + documents.seen().get(1).path());
        assertEquals("{\"n\":1}", documents.lastBody());
        assertEquals("north", documents.seen().get(1).header("X-Shop"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "elsewhere.example:9092 | published | the operator can list it for this project (workflows.kafka in parley.yml)",
                "own | workflow-commands | one of Parley's own",
                "own | parley-workflows-changelog | one of Parley's own",
                "own | no topic | is not a valid topic name",
            })
    void rejectsBrokersAndTopicsThatAreNotAllowed(String broker, String topic, String expected) {
        // Given
        String name = "refused-" + Math.floorMod((broker + topic).hashCode(), 1_000_000);
        given(name, """
                do:
                  - tell:
                      try:
                        - say: { call: asyncapi, with: { document: { endpoint: $URL }, operation: use, message: { payload: {} } } }
                      catch: { as: problem, do: [ { keep: { set: { why: '${ $problem.detail }', type: '${ $problem.type }' } } } ] }
                """);
        document(broker.equals("own") ? servers.clients().bootstrap() : broker, topic);

        // When
        JsonNode output = run(name, Map.of()).path("output");

        // Then
        assertTrue(output.path("why").asText().contains(expected), output.toString());
        assertTrue(output.path("type").asText().endsWith("configuration"), output.toString());
    }

    @Test
    @Tag("W29")
    void subscriptionTakesLaterMessagesThatPassItsFilter() {
        // Given
        given("consume", """
                do:
                  - hear:
                      call: asyncapi
                      with:
                        document: { endpoint: '$URL/asyncapi.json' }
                        operation: use
                        subscription: { filter: '${ .payload.n > 1 and .correlationId == "c" }', consume: { amount: 2 } }
                """);
        document(servers.clients().bootstrap(), "consumed");
        send("consumed", "{\"n\": 7}");

        // When
        String process = startProcess("consume");
        awaitWaiting(process);
        for (int n = 1; n <= 3; n++) {
            var record = new ProducerRecord<byte[], byte[]>("consumed", 1, null, ("{\"n\":" + n + "}").getBytes(UTF_8));
            record.headers().add("correlationId", "c".getBytes(UTF_8));
            send(record);
        }

        // Then
        assertEquals(
                "[{\"payload\":{\"n\":2},\"headers\":{\"correlationId\":\"c\"},\"correlationId\":\"c\"},"
                        + "{\"payload\":{\"n\":3},\"headers\":{\"correlationId\":\"c\"},\"correlationId\":\"c\"}]",
                awaitEnd(process).path("output").toString());
    }

    @Test
    @Tag("W41")
    void subscriptionResumesAfterARestart() {
        // Given
        given("follow", """
                do:
                  - hear:
                      call: asyncapi
                      with:
                        document: { endpoint: '$URL/asyncapi.json' }
                        operation: use
                        subscription:
                          consume: { while: '${ .payload.n < 3 }' }
                          foreach: { item: message, do: [ { keep: { set: { n: '${ $message.payload.n }' } } } ],
                                     output: { as: .n } }
                """);
        document(servers.clients().bootstrap(), "followed");
        String process = startProcess("follow");
        awaitWaiting(process);
        send(new ProducerRecord<>("followed", 0, null, "{\"n\":1}".getBytes(UTF_8)));
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.list("/v1/processes/" + process + "/tasks?fresh=true")
                                .size()
                        == 2);

        // When
        instance.close();
        send(new ProducerRecord<>("followed", 0, null, "{\"n\":2}".getBytes(UTF_8)));
        send(new ProducerRecord<>("followed", 0, null, "{\"n\":3}".getBytes(UTF_8)));
        instance = servers.start("parley");
        api = Api.of(instance);

        // Then
        assertEquals("[1,2,3]", awaitEnd(process).path("output").toString());
    }

    // ---- mapped topics

    private static List<JsonNode> processes(String name) {
        return api.list("/v1/processes?fresh=true&definition=test:" + name);
    }

    @Test
    @Tag("W29")
    @Tag("W42")
    void recordsOfAMappedTopicAreEventsThatStartProcesses() {
        // Given
        given("ordered", """
                schedule: { on: { one: { with: { type: test.order } } } }
                do: [ { end: { set: { order: '${ .[0].data }', source: '${ .[0].source }' } } } ]
                """);
        given("hears", """
                do:
                  - both: { listen: { to: { all: [ { with: { type: test.order } }, { with: { type: shop.paid } } ] } } }
                """);
        String process = startProcess("hears");
        awaitWaiting(process);

        // When
        send("orders", "{\"id\": 1}");
        var broken = new ProducerRecord<byte[], byte[]>("orders", "{".getBytes(UTF_8));
        broken.headers().add("content-type", "application/cloudevents+json".getBytes(UTF_8));
        send(broken);
        for (int i = 0; i < 2; i++) {
            var paid = new ProducerRecord<byte[], byte[]>("orders", "{\"sum\": 7}".getBytes(UTF_8));
            Map.of("ce_specversion", "1.0", "ce_id", "p-1", "ce_source", "urn:shop", "ce_type", "shop.paid")
                    .forEach((name, value) -> paid.headers().add(name, value.getBytes(UTF_8)));
            send(paid);
        }

        // Then
        assertEquals(
                List.of("{\"id\":1}", "{\"sum\":7}"),
                awaitEnd(process)
                        .path("output")
                        .valueStream()
                        .map(JsonNode::toString)
                        .sorted()
                        .toList());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> processes("ordered").size() == 1
                        && processes("ordered")
                                .getFirst()
                                .path("status")
                                .asText()
                                .equals("C"));
        assertEquals(
                "{\"order\":{\"id\":1},\"source\":\"kafka:orders\"}",
                processes("ordered").getFirst().path("output").toString());
    }

    @Test
    @Tag("W42")
    void readsANewTopicFromItsBeginningAndCountsEachEventOnce() throws Exception {
        // Given
        given("parcel", """
                schedule: { on: { one: { with: { type: test.parcel } } } }
                do: [ { end: { set: { id: '${ .[0].id }', source: '${ .[0].source }' } } } ]
                """);

        // When
        try (var admin = clients.admin("test")) {
            admin.createTopics(List.of(new NewTopic("parcels", 1, (short) 1)))
                    .all()
                    .get();
        }
        for (String id : List.of("a", "a", "b")) {
            var structured = new ProducerRecord<byte[], byte[]>(
                    "parcels", """
                    {"specversion": "1.0", "id": "%s", "source": "urn:dhl", "type": "test.parcel"}""".formatted(id).getBytes(UTF_8));
            structured.headers().add("content-type", "application/cloudevents+json; charset=UTF-8".getBytes(UTF_8));
            send(structured);
        }
        send("parcels", "plain");

        // Then
        Awaitility.await()
                .atMost(SOON)
                .until(() -> processes("parcel").stream()
                        .anyMatch(process ->
                                process.path("output").path("source").asText().equals("urn:parcels")));
        Awaitility.await()
                .during(Duration.ofSeconds(1))
                .atMost(SOON)
                .until(() -> processes("parcel").stream()
                        .map(process -> process.path("output").path("id").asText())
                        .filter(id -> id.length() == 1)
                        .sorted()
                        .toList()
                        .equals(List.of("a", "b")));
        assertEquals(3, processes("parcel").size());
    }
}

package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.kafka.KafkaClients;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of which the turn store has an unreadable row. */
class UnreadableHistoryIT {
    private static final String CHANGELOG = "parley-turns-turn-store-changelog";
    private static final byte[] GARBAGE = {1, 2, 3};

    @TempDir
    Path folder;

    @Test
    @Tag("P16")
    @Tag("K13")
    void unreadableRowIsReportedAndTheSessionContinues() throws Exception {
        try (var servers = new Servers(folder)) {
            // Given
            try (Instance before = servers.start("one")) {
                Api api = Api.of(before);
                api.say("web:ann", "my name is Ann");
                api.say("web:ann", "!say something");
                api.say("web:lost", "my name is Bob");
            }

            // When
            KafkaClients clients = servers.clients();
            corrupt(clients, entry("web:ann", 3));
            corrupt(clients, "sdefault/web:lost".getBytes(StandardCharsets.UTF_8));
            servers.forgetStores("one");

            // Then
            try (Instance after = servers.start("one")) {
                Api api = Api.of(after);
                String reply =
                        api.say("web:ann", "what is my name?").path("reply").asText();
                assertTrue(reply.contains("Ann"), reply);
                api.say("web:ann", "!say it goes on");
                Awaitility.await()
                        .untilAsserted(() -> assertEquals(
                                4, api.list("/v1/sessions/web:ann/turns").size()));

                Api.Answer refused = api.turn("web:lost", Map.of("text", "hello?"));
                assertEquals(409, refused.status(), refused.text());
                assertEquals("session_unreadable", refused.code(), refused.text());
                Api.Answer live = api.get("/v1/sessions/web:lost/live");
                assertEquals(409, live.status(), live.text());
                assertEquals(refused.code(), live.code());
                assertEquals(refused.json().path("detail"), live.json().path("detail"));
                api.say("web:new", "!say hello");

                assertTrue(unreadable(api, "decide-turn") >= 2, "both rows are counted");
                String turn = api.list("/v1/sessions/web:ann/turns").stream()
                        .filter(row -> row.path("seq").asInt() == 2)
                        .findFirst()
                        .orElseThrow()
                        .path("id")
                        .asText();
                Awaitility.await()
                        .untilAsserted(() -> assertTrue(
                                causes(clients).stream().anyMatch(cause -> cause.contains(turn)),
                                () -> turn + " in " + causes(clients)));
            }
        }
    }

    @Test
    @Tag("B163")
    void aRowThatCannotBeReadIsCountedAtStartByEachMachine() throws Exception {
        var stores = Map.of(
                "decide-turn", CHANGELOG,
                "decide-memory", "parley-memory-memory-store-changelog",
                "decide-workflow", "parley-workflows-workflow-store-changelog");
        try (var servers = new Servers(folder)) {
            // Given
            try (Instance before = servers.start("one")) {
                stores.keySet().forEach(component -> assertEquals(0, unreadable(Api.of(before), component), component));
            }

            // When
            try (var producer = servers.clients().producer("spoiler")) {
                for (String changelog : stores.values()) {
                    producer.send(new ProducerRecord<>(
                                    changelog, 0, "sdefault/none".getBytes(StandardCharsets.UTF_8), GARBAGE))
                            .get();
                }
            }
            servers.forgetStores("one");

            // Then
            try (Instance after = servers.start("one")) {
                stores.keySet().forEach(component -> assertEquals(1, unreadable(Api.of(after), component), component));
            }
        }
    }

    private static double unreadable(Api api, String component) {
        return api.get("/prometheus")
                .text()
                .lines()
                .filter(line ->
                        line.startsWith("parley_rows_unreadable_total") && line.contains("\"" + component + "\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** The key of a message in the store: a kind, the record key, a zero and the message number. */
    private static byte[] entry(String session, long index) {
        byte[] text = ("edefault/" + session).getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(text.length + 1 + Long.BYTES)
                .put(text)
                .put((byte) 0)
                .putLong(index)
                .array();
    }

    /** Makes a row unreadable in the changelog, from which the store is restored. */
    private static void corrupt(KafkaClients clients, byte[] key) throws Exception {
        ConsumerRecord<byte[], byte[]> row = Records.all(clients, CHANGELOG).stream()
                .filter(record -> Arrays.equals(record.key(), key))
                .reduce((_, last) -> last)
                .orElseThrow();
        try (var producer = clients.producer("spoiler")) {
            producer.send(new ProducerRecord<>(CHANGELOG, row.partition(), key, GARBAGE))
                    .get();
        }
    }

    private static List<String> causes(KafkaClients clients) {
        return Records.all(clients, "dead-letters").stream()
                .map(record -> record.headers().lastHeader("dlq_cause"))
                .map(header -> header == null ? "" : new String(header.value(), StandardCharsets.UTF_8))
                .toList();
    }
}

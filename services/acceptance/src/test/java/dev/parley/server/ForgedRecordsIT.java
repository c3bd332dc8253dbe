package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.RecordSignatures;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody has the broker's password, as a consumer on a laptop does, and writes to the topics of a running process. */
class ForgedRecordsIT {
    /** Topics that a process reads only while somebody watches, or which have a bot. */
    private static final Set<Topic<?>> READ_ON_DEMAND = Set.of(Topics.TURN_DELTAS, Topics.REPLIES);

    private static final UUID HOST = Ids.of("host", "default");
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    static Path folder;

    private static Instance instance;
    private static Api admin;
    private static KafkaClients outsider;
    private static Producer<byte[], byte[]> producer;
    private static AccessFollower directory;
    private static RecordSignatures signatures;

    @BeforeAll
    static void start() {
        instance = Instances.start(folder.resolve("data"));
        admin = Api.of(instance);
        var own = instance.beans().getBean(KafkaClients.class);
        signatures = own.signatures();
        outsider = KafkaClients.of(own.bootstrap(), own.security());
        producer = outsider.producer("outsider");
        directory = instance.beans().getBean(AccessFollower.class);
        admin.signUp("first");
    }

    @AfterAll
    static void stop() {
        producer.close();
        instance.close();
    }

    @Test
    @Tag("B62")
    void forgedRecordMakesNobodyAnAdministrator() throws Exception {
        // Given
        Account before = account(person("mallory"));
        assertFalse(before.admin());
        var forged =
                new Account(HOST, before.user(), before.version() + 100, before.name(), true, true, null, null, null);

        // When
        long offset = send(RecordCodec.record(Topics.ACCESS, forged.key(), forged, UUID.randomUUID(), null));

        // Then
        Awaitility.await().atMost(SOON).until(() -> isDeadLetter(Topics.ACCESS, offset));
        assertEquals(before, directory.account(HOST, before.user()).orElseThrow());
        String metrics = admin.get("/prometheus").text();
        assertTrue(metrics.contains("parley_records_refused_total{topic=\"access\"}"), metrics);
        // the newest record of the key, which compaction leaves, is published again
        Awaitility.await().atMost(SOON).until(() -> isTrue(newest(Topics.ACCESS, forged.key())));
    }

    @Test
    @Tag("B62")
    void forgedTombstoneRemovesNobody() throws Exception {
        // Given
        Account nora = account(person("nora"));

        // When
        long offset = send(RecordCodec.tombstone(Topics.ACCESS, nora.key()));

        // Then
        Awaitility.await().atMost(SOON).until(() -> isDeadLetter(Topics.ACCESS, offset));
        assertEquals(nora, directory.account(HOST, nora.user()).orElseThrow());
    }

    @Test
    @Tag("B63")
    void revokedKeyStaysRevokedWhenItsRecordIsSentAgain() throws Exception {
        // Given
        var created = admin.create("/v1/api-keys", Map.of("name", "short-lived", "permissions", List.of("*")))
                .json();
        String key = AccessKey.key(created.path("prefix").asText());
        ConsumerRecord<byte[], byte[]> genuine = newest(Topics.ACCESS, key);
        assertTrue(admin.delete("/v1/api-keys/" + created.path("id").asText()).status() < 300);
        Awaitility.await().atMost(SOON).until(() -> newest(Topics.ACCESS, key).value() == null);

        // When
        long offset = send(new ProducerRecord<>(
                genuine.topic(), genuine.partition(), null, genuine.key(), genuine.value(), genuine.headers()));

        // Then
        Awaitility.await().atMost(SOON).until(() -> isDeadLetter(Topics.ACCESS, offset));
        assertTrue(directory.key(created.path("prefix").asText()).isEmpty());
        Awaitility.await().atMost(SOON).until(() -> newest(Topics.ACCESS, key).value() == null);
    }

    @Test
    @Tag("B61")
    @Tag("B62")
    void everySignedTopicRefusesForgedRecordsAndGoesOn() throws Exception {
        // When
        for (Topic<?> topic : Topics.all()) {
            if (Topics.isSigned(topic.name())) {
                for (int partition = 0; partition < 2; partition++) {
                    var forged = new ProducerRecord<>(
                            topic.name(), partition % partitions(topic), bytes("forged"), bytes("forged"));
                    producer.send(forged).get(20, TimeUnit.SECONDS);
                }
            }
        }

        // Then
        for (Topic<?> topic : Topics.all()) {
            if (Topics.isSigned(topic.name()) && !READ_ON_DEMAND.contains(topic)) {
                Awaitility.await(topic.name()).atMost(SOON).until(() -> signatures.refused(topic.name()) > 0);
            }
        }
        assertEquals(
                "still here",
                admin.say("web:after", "!say still here").path("reply").asText());
    }

    private static Api.Account person(String name) {
        return admin.register(Map.of("username", name, "password", "a long password of " + name));
    }

    private static Account account(Api.Account person) {
        return directory.account(HOST, UUID.fromString(person.id())).orElseThrow();
    }

    private static int partitions(Topic<?> topic) {
        return producer.partitionsFor(topic.name()).size();
    }

    private static long send(ProducerRecord<byte[], byte[]> record) throws Exception {
        return producer.send(record).get(20, TimeUnit.SECONDS).offset();
    }

    private static boolean isDeadLetter(Topic<?> topic, long offset) {
        return Records.all(outsider, Topics.DEAD_LETTERS.name()).stream()
                .anyMatch(letter -> DeadLetters.number(letter, DeadLetters.OFFSET) == offset
                        && topic.name()
                                .equals(new String(
                                        letter.headers()
                                                .lastHeader(DeadLetters.TOPIC)
                                                .value(),
                                        StandardCharsets.UTF_8)));
    }

    private static ConsumerRecord<byte[], byte[]> newest(Topic<?> topic, String key) {
        return Records.all(outsider, topic.name()).stream()
                .filter(record -> RecordCodec.key(record).equals(key))
                .max(Comparator.comparingLong(ConsumerRecord::offset))
                .orElseThrow();
    }

    private static boolean isTrue(ConsumerRecord<byte[], byte[]> record) {
        return signatures.fault(record).isEmpty();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

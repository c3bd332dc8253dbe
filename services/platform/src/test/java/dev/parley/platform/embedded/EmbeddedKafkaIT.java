package dev.parley.platform.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaIT {
    private static final String TOPIC = "notes";

    @TempDir
    private Path folder;

    private DataFolder data;

    @BeforeEach
    void open() {
        data = DataFolder.open(folder);
    }

    @AfterEach
    void close() {
        data.close();
    }

    @Test
    void dataSurvivesARestartOnOtherPorts() throws Exception {
        // Given
        int before;
        try (var kafka = EmbeddedKafka.start(data, 0)) {
            before = kafka.port();
            write(kafka, "kept");
        }

        // When
        try (var occupied = new ServerSocket(before, 1, InetAddress.ofLiteral("127.0.0.1"));
                var kafka = EmbeddedKafka.start(data, 0)) {
            // Then
            assertNotEquals(occupied.getLocalPort(), kafka.port());
            assertEquals(List.of("kept"), read(kafka));
        }
    }

    @Test
    void killedBrokerRestartsWithinSecondsOnItsPort() throws Exception {
        // Given
        data.close();
        try (var child = ChildJvm.start(StartAndWrite.class, folder)) {
            child.kill();
        }
        var start = Instant.now();

        // When
        data = DataFolder.open(folder);
        try (var kafka = EmbeddedKafka.start(data, 0)) {
            // Then
            assertTrue(Duration.between(start, Instant.now()).toSeconds() < 8);
            assertEquals(PrivateFiles.read(folder.resolve("kafka.port")).orElseThrow(), "" + kafka.port());
            assertEquals(List.of("kept"), read(kafka));
        }
    }

    @Test
    void topicsAreNotCreatedByAccident() throws Exception {
        try (var kafka = EmbeddedKafka.start(data, 0);
                var admin = Admin.create(settings(kafka, Map.of()))) {
            assertFalse(admin.listTopics().names().get().contains(TOPIC));
            var broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
            var settings = admin.describeConfigs(List.of(broker)).all().get().get(broker);
            assertEquals("false", settings.get("auto.create.topics.enable").value());
        }
    }

    @Test
    void completesTransactionsThatWereCommittingWhenKilled() throws Exception {
        // Given
        data.close();
        try (var child = ChildJvm.start(StartAndCommit.class, folder)) {
            child.kill();
        }

        // When
        data = DataFolder.open(folder);
        try (var kafka = EmbeddedKafka.start(data, 0)) {
            // Then
            for (int i = 0; i < StartAndCommit.PRODUCERS; i++) {
                String name = "commits-" + i;
                Map<String, Object> settings = settings(kafka, Map.of("transactional.id", name));
                try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
                    producer.initTransactions(); // aborts a transaction that was not yet committing
                }
                settings = settings(kafka, Map.of("group.id", name, "isolation.level", "read_committed"));
                try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
                    var notes = new TopicPartition(TOPIC, 0);
                    assertTrue(
                            consumer.committed(Set.of(notes), Duration.ofSeconds(20))
                                            .get(notes)
                                            .offset()
                                    >= 20,
                            "else its offset is uncertain for ever");
                }
            }
        }
    }

    private static Map<String, Object> settings(EmbeddedKafka kafka, Map<String, Object> others) {
        var settings = new HashMap<>(kafka.clients().common("test"));
        settings.putAll(others);
        return settings;
    }

    private static void write(EmbeddedKafka kafka, String text) throws Exception {
        Map<String, Object> settings = settings(kafka, Map.of());
        try (var admin = Admin.create(settings)) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
        }
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(TOPIC, "key", text)).get();
        }
    }

    private static List<String> read(EmbeddedKafka kafka) {
        Map<String, Object> settings = settings(kafka, Map.of("auto.offset.reset", "earliest"));
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(new TopicPartition(TOPIC, 0)));
            var values = new ArrayList<String>();
            consumer.poll(Duration.ofSeconds(10)).forEach(found -> values.add(found.value()));
            return values;
        }
    }

    /** In a JVM of its own: starts the broker, commits offsets in transactions without a pause, waits to be killed. */
    static final class StartAndCommit {
        static final int PRODUCERS = 20;

        private StartAndCommit() {}

        public static void main(String[] args) throws Exception {
            var kafka = EmbeddedKafka.start(DataFolder.open(Path.of(args[0])), 0);
            write(kafka, "kept");
            try (var admin = Admin.create(settings(kafka, Map.of()))) {
                // A broker with many partitions takes some moments to learn that they have no leader.
                admin.createTopics(List.of(new NewTopic("many", 400, (short) 1)))
                        .all()
                        .get();
            }
            var busy = new CountDownLatch(PRODUCERS);
            for (int i = 0; i < PRODUCERS; i++) {
                String name = "commits-" + i;
                Thread.ofPlatform().start(() -> commit(kafka, name, busy));
            }
            busy.await();
            ChildJvm.startedThenWait();
        }

        private static void commit(EmbeddedKafka kafka, String name, CountDownLatch busy) {
            Map<String, Object> settings = settings(kafka, Map.of("transactional.id", name));
            Map<String, Object> group = settings(kafka, Map.of("group.id", name));
            try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
                    var consumer = new KafkaConsumer<>(group, new StringDeserializer(), new StringDeserializer())) {
                producer.initTransactions();
                for (long offset = 1; ; offset++) {
                    producer.beginTransaction();
                    producer.sendOffsetsToTransaction(
                            Map.of(new TopicPartition(TOPIC, 0), new OffsetAndMetadata(offset)),
                            consumer.groupMetadata());
                    producer.commitTransaction();
                    if (offset == 20) {
                        busy.countDown();
                    }
                }
            }
        }
    }

    /** In a JVM of its own: starts the broker, writes a record, waits to be killed. */
    static final class StartAndWrite {
        private StartAndWrite() {}

        public static void main(String[] args) throws Exception {
            write(EmbeddedKafka.start(DataFolder.open(Path.of(args[0])), 0), "kept");
            ChildJvm.startedThenWait();
        }
    }
}

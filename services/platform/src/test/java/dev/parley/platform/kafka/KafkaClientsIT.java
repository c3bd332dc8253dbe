package dev.parley.platform.kafka;

import static org.awaitility.Awaitility.await;

import dev.parley.platform.testkit.TestInfra;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clients, with a real broker. */
class KafkaClientsIT {
    private static final String TOPIC = "clients";
    /** Longer than a test waits, so that a takeover proves that the other member left. */
    private static final Map<String, Object> LONG_SESSION = Map.of(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 300_000);

    private static final KafkaClients CLIENTS = TestInfra.kafka().clients();

    @BeforeAll
    static void createTopic() throws Exception {
        try (var admin = CLIENTS.admin("test")) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 2, (short) 1))).all().get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aMemberThatClosesLeavesItsPartitionsToTheOthers() {
        try (Consumer<byte[], byte[]> second = CLIENTS.consumer("second", "left", LONG_SESSION)) {
            try (Consumer<byte[], byte[]> first = CLIENTS.consumer("first", "left", LONG_SESSION)) {
                first.subscribe(List.of(TOPIC));
                awaitAll(first);
            }

            second.subscribe(List.of(TOPIC));

            awaitAll(second);
        }
    }

    private static void awaitAll(Consumer<byte[], byte[]> member) {
        await().pollInSameThread().until(() -> {
            member.poll(Duration.ofMillis(100));
            return member.assignment().size() == 2;
        });
    }
}

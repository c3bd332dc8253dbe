package dev.parley.platform.kafka;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.erasure.ErasureRecord;
import dev.parley.domain.erasure.ErasureRecord.AgentGone;
import dev.parley.platform.testkit.TestInfra;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Subscriptions, with a real broker. */
class SubscriptionIT {
    private static final KafkaClients CLIENTS = TestInfra.kafka().clients();

    @BeforeAll
    static void createTopics() {
        try (Admin admin = CLIENTS.admin("test")) {
            new TopicAdmin(admin, 1, (short) 1).createMissing();
        }
    }

    @Test
    void commitsProcessedRecordsAndTheNextMemberContinues() throws Exception {
        // Given
        var first = new CopyOnWriteArrayList<UUID>();
        UUID before = publish();
        try (var subscription = subscription(first)) {
            subscription.start();
            await().until(() -> first.contains(before));
            awaitCommitted();
        }

        // When
        UUID after = publish();
        var second = new CopyOnWriteArrayList<UUID>();
        try (var subscription = subscription(second)) {
            subscription.start();
            await().until(() -> !second.isEmpty());
        }

        // Then
        assertEquals(List.of(after), second);
    }

    private static Subscription<ErasureRecord> subscription(List<UUID> received) {
        return new Subscription<>(
                CLIENTS, Topics.ERASURES, "subscription-test", record -> received.add(record.erasure()));
    }

    private static UUID publish() throws Exception {
        UUID erasure = UUID.randomUUID();
        var agentGone = new AgentGone(erasure, UUID.randomUUID(), UUID.randomUUID(), "agent", "ann", Instant.now());
        try (var producer = CLIENTS.producer("test")) {
            producer.send(RecordCodec.record(Topics.ERASURES, agentGone.key(), agentGone, erasure, null))
                    .get(60, TimeUnit.SECONDS);
        }
        return erasure;
    }

    private static void awaitCommitted() throws Exception {
        try (Admin admin = CLIENTS.admin("test");
                var consumer = CLIENTS.consumer("test", null, Map.of())) {
            List<TopicPartition> partitions = KafkaClients.partitions(consumer, Topics.ERASURES);
            Map<TopicPartition, Long> endOffsets = consumer.endOffsets(partitions);
            await().untilAsserted(() -> {
                Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets("subscription-test")
                        .partitionsToOffsetAndMetadata()
                        .get(60, TimeUnit.SECONDS);
                endOffsets.forEach((partition, end) ->
                        assertEquals(end, committed.get(partition).offset()));
            });
        }
    }
}

package dev.parley.sessions.changes;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Partitioning;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.testkit.TestInfra;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArraySet;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Copies of projects by one or two processes, with a real broker. */
@Tag("I115")
final class ChangeCopierIT {
    private final KafkaClients clients = KafkaClients.of(TestInfra.kafka().bootstrap());
    private final UUID one = UUID.randomUUID();
    private final UUID two = UUID.randomUUID();
    private final Set<UUID> followed = new CopyOnWriteArraySet<>();
    private final List<ChangeCopier> copiers = new ArrayList<>();
    private final TreeMap<String, String> copies = new TreeMap<>();
    private Producer<byte[], byte[]> producer;
    private Consumer<byte[], byte[]> consumer;

    @BeforeEach
    void start() {
        try (var admin = clients.admin("test")) {
            new TopicAdmin(admin, 2, (short) 1).createMissing();
        }
        producer = clients.producer("test");
        consumer = clients.consumer("replica", null, Map.of());
        List<TopicPartition> all = KafkaClients.partitions(consumer, Topics.PROJECT_CHANGES);
        consumer.assign(all);
        consumer.seekToBeginning(all);
    }

    @AfterEach
    void stop() {
        copiers.forEach(ChangeCopier::close);
        producer.close();
        consumer.close();
    }

    private ChangeCopier copier(String instance) {
        var copier = new ChangeCopier(clients.named(instance), instance, () -> Set.copyOf(followed));
        copier.start();
        copiers.add(copier);
        return copier;
    }

    private void happens(String key, @Nullable String value) {
        boolean event = key.contains("#");
        Topic<?> topic = event ? Topics.TURN_EVENTS : Topics.ACCESS;
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        int count = producer.partitionsFor(topic.name()).size();
        int partition = event
                ? Partitioning.byRecordKey(topic.name(), bytes, bytes, count)
                        .orElseThrow()
                        .iterator()
                        .next()
                : Utils.toPositive(Utils.murmur2(bytes)) % count;
        byte[] content = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
        var _ = producer.send(new ProducerRecord<>(topic.name(), partition, bytes, content));
        producer.flush();
    }

    /** Sessions that are spread over the partitions. */
    private void talk(UUID project, int from, int to) {
        for (int i = from; i < to; i++) {
            happens(project + "/web:" + i % 7 + "#" + i, "event " + i);
        }
    }

    private static void expect(Map<String, String> expected, UUID project, int from, int to) {
        for (int i = from; i < to; i++) {
            expected.put(project + "/web:" + i % 7 + "#" + i, "event " + i);
        }
    }

    private void awaitCopies(Map<String, String> expected) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            consumer.poll(Duration.ofMillis(100)).forEach(this::take);
            assertEquals(expected, copies);
        });
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        String key = RecordCodec.key(record);
        if (!key.startsWith(one.toString()) && !key.startsWith(two.toString())) {
            return; // another test's
        }
        if (record.value() == null) {
            copies.remove(key);
        } else {
            copies.put(key, new String(record.value(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void copiesAFollowedProjectFromItsBeginning() {
        // Given
        copier("copier-1");
        happens("project/" + one, "One");
        happens("member/" + one + "/" + two, "a member");
        talk(one, 0, 20);
        talk(two, 0, 20);
        happens(one + "/web:0#0", null);

        // When
        followed.add(one);
        talk(one, 20, 30);

        // Then
        Map<String, String> expected = new TreeMap<>();
        expect(expected, one, 1, 30);
        expected.put(one + "/project", "One");
        expected.put(one + "/member/" + two, "a member");
        awaitCopies(expected);

        // When another one follows, it comes whole, and what is erased in the first goes
        followed.add(two);
        happens(one + "/web:1#1", null);

        // Then
        expected.remove(one + "/web:1#1");
        expect(expected, two, 0, 20);
        awaitCopies(expected);
    }

    @Test
    void deletesCopiesOfAnUnfollowedProjectAndRestoresThemLater() {
        // Given
        copier("copier-1");
        followed.addAll(List.of(one, two));
        happens("project/" + one, "One");
        talk(one, 0, 20);
        talk(two, 0, 5);
        Map<String, String> expected = new TreeMap<>();
        expect(expected, two, 0, 5);
        Map<String, String> both = new TreeMap<>(expected);
        expect(both, one, 0, 20);
        both.put(one + "/project", "One");
        awaitCopies(both);

        // When
        followed.remove(one);

        // Then
        awaitCopies(expected);

        // When something is erased meanwhile
        happens(one + "/web:3#3", null);
        followed.add(one);

        // Then
        both.remove(one + "/web:3#3");
        awaitCopies(both);
    }

    @Test
    void catchesUpAfterADowntime() {
        // Given
        followed.add(one);
        talk(one, 0, 10);
        talk(two, 0, 10);
        var first = copier("copier-1");
        Map<String, String> expected = new TreeMap<>();
        expect(expected, one, 0, 10);
        awaitCopies(expected);

        // When
        first.close();
        followed.remove(one);
        followed.add(two);
        talk(two, 10, 15);
        copier("copier-1");

        // Then
        expected.clear();
        expect(expected, two, 0, 15);
        awaitCopies(expected);
    }

    @Test
    void copiesCorrectlyWithTwoProcesses() {
        // Given
        followed.add(one);
        copier("copier-1");
        copier("copier-2");
        talk(one, 0, 20);
        talk(two, 0, 20);
        Map<String, String> expected = new TreeMap<>();
        expect(expected, one, 0, 20);
        awaitCopies(expected);

        // When
        followed.remove(one);
        followed.add(two);

        // Then
        expected.clear();
        expect(expected, two, 0, 20);
        awaitCopies(expected);
    }
}

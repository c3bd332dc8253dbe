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
    private final KafkaClients clients = TestInfra.kafka().clients();
    private final UUID firstProject = UUID.randomUUID();
    private final UUID secondProject = UUID.randomUUID();
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
        List<TopicPartition> partitions = KafkaClients.partitions(consumer, Topics.PROJECT_CHANGES);
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    @AfterEach
    void stop() {
        copiers.forEach(ChangeCopier::close);
        producer.close();
        consumer.close();
    }

    private ChangeCopier copier(String instance) {
        var copier = new ChangeCopier(clients.forProcess(instance), instance, () -> Set.copyOf(followed));
        copier.start();
        copiers.add(copier);
        return copier;
    }

    private void publish(String key, @Nullable String value) {
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
    private void publishEvents(UUID project, int from, int to) {
        for (int i = from; i < to; i++) {
            publish(project + "/web:" + i % 7 + "#" + i, "event " + i);
        }
    }

    private static void addExpected(Map<String, String> expected, UUID project, int from, int to) {
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
        if (!key.startsWith(firstProject.toString()) && !key.startsWith(secondProject.toString())) {
            return; // of another test
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
        publish("project/" + firstProject, "One");
        publish("member/" + firstProject + "/" + secondProject, "a member");
        publishEvents(firstProject, 0, 20);
        publishEvents(secondProject, 0, 20);
        publish(firstProject + "/web:0#0", null);

        // When
        followed.add(firstProject);
        publishEvents(firstProject, 20, 30);

        // Then
        Map<String, String> expected = new TreeMap<>();
        addExpected(expected, firstProject, 1, 30);
        expected.put(firstProject + "/project", "One");
        expected.put(firstProject + "/member/" + secondProject, "a member");
        awaitCopies(expected);

        // When another project is followed, and an event of the first is erased
        followed.add(secondProject);
        publish(firstProject + "/web:1#1", null);

        // Then
        expected.remove(firstProject + "/web:1#1");
        addExpected(expected, secondProject, 0, 20);
        awaitCopies(expected);
    }

    @Test
    void deletesCopiesOfAnUnfollowedProjectAndRestoresThemLater() {
        // Given
        copier("copier-1");
        followed.addAll(List.of(firstProject, secondProject));
        publish("project/" + firstProject, "One");
        publishEvents(firstProject, 0, 20);
        publishEvents(secondProject, 0, 5);
        Map<String, String> expected = new TreeMap<>();
        addExpected(expected, secondProject, 0, 5);
        Map<String, String> expectedOfBoth = new TreeMap<>(expected);
        addExpected(expectedOfBoth, firstProject, 0, 20);
        expectedOfBoth.put(firstProject + "/project", "One");
        awaitCopies(expectedOfBoth);

        // When
        followed.remove(firstProject);

        // Then
        awaitCopies(expected);

        // When an event is erased before the project is followed again
        publish(firstProject + "/web:3#3", null);
        followed.add(firstProject);

        // Then
        expectedOfBoth.remove(firstProject + "/web:3#3");
        awaitCopies(expectedOfBoth);
    }

    @Test
    void catchesUpAfterADowntime() {
        // Given
        followed.add(firstProject);
        publishEvents(firstProject, 0, 10);
        publishEvents(secondProject, 0, 10);
        var first = copier("copier-1");
        Map<String, String> expected = new TreeMap<>();
        addExpected(expected, firstProject, 0, 10);
        awaitCopies(expected);

        // When
        first.close();
        followed.remove(firstProject);
        followed.add(secondProject);
        publishEvents(secondProject, 10, 15);
        copier("copier-1");

        // Then
        expected.clear();
        addExpected(expected, secondProject, 0, 15);
        awaitCopies(expected);
    }

    @Test
    void copiesCorrectlyWithTwoProcesses() {
        // Given
        followed.add(firstProject);
        copier("copier-1");
        copier("copier-2");
        publishEvents(firstProject, 0, 20);
        publishEvents(secondProject, 0, 20);
        Map<String, String> expected = new TreeMap<>();
        addExpected(expected, firstProject, 0, 20);
        awaitCopies(expected);

        // When
        followed.remove(firstProject);
        followed.add(secondProject);

        // Then
        expected.clear();
        addExpected(expected, secondProject, 0, 20);
        awaitCopies(expected);
    }
}

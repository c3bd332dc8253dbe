package dev.parley.sessions.changes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("I115")
class ProjectChangesTest {
    private static final UUID PROJECT = UUID.fromString("b7f4c5a2-3f1d-4b0e-9d7c-2a6f0e5d4c3b");
    private static final int PARTITIONS = 5;
    private static final UUID USER = UUID.fromString("0d9c8b7a-6f5e-4d3c-8b2a-1f0e9d8c7b6a");

    private final Deque<ProducerRecord<byte[], byte[]>> changes = new ArrayDeque<>();

    private void happens(Topic<?> topic, @Nullable String key, byte @Nullable [] value) {
        var record = new ConsumerRecord<>(topic.name(), 0, 0, key == null ? null : bytes(key), value);
        record.headers().add("ce_id", bytes("id"));
        ProjectChanges.key(record)
                .map(copy -> ProjectChanges.copy(copy, record, PARTITIONS))
                .ifPresent(changes::add);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private ProducerRecord<byte[], byte[]> change(String key) {
        var change = changes.remove();
        assertEquals(key, new String(change.key(), StandardCharsets.UTF_8));
        assertEquals(Topics.PROJECT_CHANGES.name(), change.topic());
        UUID project = ProjectChanges.Key.parse(key).project();
        assertEquals(ProjectChanges.partition(project, PARTITIONS), change.partition());
        return change;
    }

    @Test
    void copiesAnEventUnderItsProjectId() {
        happens(Topics.TURN_EVENTS, "default/telegram:1:é#12", new byte[] {0, 1, 2});

        var change = change(RecordKey.projectId("default") + "/telegram:1:é#12");
        assertArrayEquals(new byte[] {0, 1, 2}, change.value());
        assertEquals("id", new String(change.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8));
    }

    @Test
    void copiesTheProjectAndItsMembers() {
        happens(Topics.ACCESS, "project/" + PROJECT, new byte[] {1});
        happens(Topics.ACCESS, "member/" + PROJECT + "/" + USER, new byte[] {2});
        happens(Topics.ACCESS, "project/a-name", new byte[] {3});

        assertArrayEquals(new byte[] {1}, change(PROJECT + "/project").value());
        assertArrayEquals(new byte[] {2}, change(PROJECT + "/member/" + USER).value());
        change(RecordKey.projectId("a-name") + "/project");
    }

    @Test
    void copiesMemoryEventsAndDefinitions() {
        // Given
        UUID host = UUID.randomUUID();

        // When
        happens(Topics.MEMORY_EVENTS, PROJECT + "/bank:1#7", new byte[] {1});
        happens(Topics.MEMORY_EVENTS, host + "/bank:2#7", new byte[] {1});
        happens(Topics.DEFINITIONS, "agent/%s/%s/guide".formatted(host, PROJECT), new byte[] {2});
        happens(Topics.DEFINITIONS, "tool/%s/%s/weather@1.0.0".formatted(host, PROJECT), null);

        // Then
        change(PROJECT + "/bank:1#7");
        change(host + "/bank:2#7");
        change("%s/definition/agent/%s/guide".formatted(PROJECT, host));
        assertNull(change("%s/definition/tool/%s/weather@1.0.0".formatted(PROJECT, host))
                .value());
    }

    @Test
    void copiesTombstones() {
        happens(Topics.TURN_EVENTS, PROJECT + "/web:1#3", null);
        happens(Topics.ACCESS, "member/" + PROJECT + "/" + USER, null);

        assertNull(change(PROJECT + "/web:1#3").value());
        assertNull(change(PROJECT + "/member/" + USER).value());
    }

    @Test
    void ignoresRecordsWithoutAProject() {
        // When
        happens(Topics.ACCESS, "account/" + PROJECT + "/" + USER, new byte[] {1});
        happens(Topics.ACCESS, "key/abc", new byte[] {1});
        happens(Topics.ACCESS, "setting/" + PROJECT + "/budget", new byte[] {1});
        happens(Topics.ACCESS, "member/no-uuid/" + USER, new byte[] {1});
        happens(Topics.ACCESS, "member/" + PROJECT, new byte[] {1});
        happens(Topics.ACCESS, "project", new byte[] {1});
        happens(Topics.DEFINITIONS, "agent/default", new byte[] {1});
        happens(Topics.DEFINITIONS, "agent/" + PROJECT + "/of-a-host", new byte[] {1});
        happens(Topics.TURN_EVENTS, null, new byte[] {1});
        happens(Topics.TURN_EVENTS, "", new byte[] {1});
        happens(Topics.TURN_EVENTS, "no session#1", new byte[] {1});
        happens(Topics.TURN_EVENTS, "12345678-x/no-uuid-after-all-but-as-long", new byte[] {1});

        // Then
        assertTrue(changes.isEmpty());
    }

    @Test
    void copyKeyYieldsTheSourceTopicAndKey() {
        assertEquals("turn-events default/telegram:1", source(RecordKey.projectId("default") + "/telegram:1#2"));
        assertEquals("turn-events " + PROJECT + "/member/1", source(PROJECT + "/member/1#2"));
        assertEquals("access project/" + PROJECT, source(PROJECT + "/project"));
        assertEquals("access member/" + PROJECT + "/" + USER, source(PROJECT + "/member/" + USER));
        assertEquals("memory-events " + PROJECT + "/bank:1", source(PROJECT + "/bank:1#2"));
        assertEquals(
                "definitions agent/" + USER + "/" + PROJECT + "/guide",
                source(PROJECT + "/definition/agent/" + USER + "/guide"));
    }

    private static String source(String key) {
        var copy = ProjectChanges.Key.parse(key);
        return copy.sourceTopic() + " " + copy.sourcePartitionKey();
    }
}

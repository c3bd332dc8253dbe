package dev.parley.sessions.changes;

import static dev.parley.platform.kafka.Topics.ACCESS;
import static dev.parley.platform.kafka.Topics.DEFINITIONS;
import static dev.parley.platform.kafka.Topics.MEMORY_EVENTS;
import static dev.parley.platform.kafka.Topics.PROJECT_CHANGES;
import static dev.parley.platform.kafka.Topics.TURN_EVENTS;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.platform.kafka.RecordCodec;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys and partitions of {@code project-changes}: all copies of a project are in one partition, under keys that begin
 * with its id. Values and tombstones are copied unchanged.
 */
public final class ProjectChanges {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectChanges.class);

    private ProjectChanges() {}

    /** The key of a copy, {@code {project}/{rest}}. */
    record Key(UUID project, String rest) {
        private static final String PROJECT = "project";
        private static final String MEMBER = "member/";
        private static final String DEFINITION = "definition/";
        private static final String BANK = "bank:";

        static Key parse(String text) {
            int slash = text.indexOf('/');
            return new Key(Ids.parse(text.substring(0, slash)), text.substring(slash + 1));
        }

        /** The topic of the source record. */
        String sourceTopic() {
            if (isAccess()) {
                return ACCESS.name();
            }
            return isDefinition()
                    ? DEFINITIONS.name()
                    : rest.startsWith(BANK) ? MEMORY_EVENTS.name() : TURN_EVENTS.name();
        }

        /** The key that determines the partition of the source record. */
        String sourcePartitionKey() {
            String project = RecordKey.projectKey(this.project);
            if (isDefinition()) {
                String[] parts = rest.split("/", 4);
                return "%s/%s/%s/%s".formatted(parts[1], parts[2], this.project, parts[3]);
            }
            if (!isAccess()) {
                return project + "/" + rest.substring(0, rest.lastIndexOf('#'));
            }
            return rest.equals(PROJECT)
                    ? "project/" + project
                    : MEMBER + this.project + "/" + rest.substring(MEMBER.length());
        }

        private boolean isAccess() {
            return rest.equals(PROJECT) || rest.startsWith(MEMBER) && rest.indexOf('#') < 0;
        }

        private boolean isDefinition() {
            return rest.startsWith(DEFINITION) && rest.indexOf('#') < 0;
        }

        @Override
        public String toString() {
            return project + "/" + rest;
        }
    }

    /** The key of the copy of a record; empty where the record does not belong to a project. */
    static Optional<Key> key(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null) {
            return Optional.empty();
        }
        String key = RecordCodec.key(record);
        try {
            return Optional.ofNullable(
                    record.topic().equals(ACCESS.name())
                            ? ofAccess(key)
                            : record.topic().equals(DEFINITIONS.name()) ? ofDefinition(key) : ofEvent(key));
        } catch (IllegalArgumentException e) {
            LOG.atWarn().setCause(e).log("record of {} without a project key is not copied", record.topic());
            return Optional.empty();
        }
    }

    /** {@code {project}/{session or bank}#{seq}}, with the project's id instead of its key. */
    private static Key ofEvent(String key) {
        int hash = key.lastIndexOf('#');
        RecordKey session = RecordKey.parse(key.substring(0, Math.max(0, hash)));
        return new Key(session.projectId(), session.session() + key.substring(hash));
    }

    /** {@code {project id}/project} and {@code {project id}/member/{user}}; event keys cannot look like this. */
    private static @Nullable Key ofAccess(String key) {
        String[] parts = key.split("/", 3);
        if (parts[0].equals(Key.PROJECT) && parts.length == 2) {
            return new Key(RecordKey.projectId(parts[1]), Key.PROJECT);
        }
        if (parts[0].equals("member") && parts.length == 3) {
            return new Key(Ids.parse(parts[1]), Key.MEMBER + parts[2]);
        }
        return null;
    }

    /**
     * {@code {project id}/definition/{kind}/{host}/{name}} for a project's own definitions; event keys cannot look like
     * this.
     */
    private static @Nullable Key ofDefinition(String key) {
        String[] parts = key.split("/", 4);
        return parts.length < 4
                ? null
                : new Key(Ids.parse(parts[2]), "%s%s/%s/%s".formatted(Key.DEFINITION, parts[0], parts[1], parts[3]));
    }

    /** The copy of a record, with its headers. */
    static ProducerRecord<byte[], byte[]> copy(Key key, ConsumerRecord<byte[], byte[]> record, int partitions) {
        return new ProducerRecord<>(
                PROJECT_CHANGES.name(),
                partition(key.project(), partitions),
                record.timestamp() < 0 ? null : record.timestamp(),
                key.toString().getBytes(StandardCharsets.UTF_8),
                record.value(),
                record.headers());
    }

    /** The partition of all copies of a project. */
    public static int partition(UUID project, int partitions) {
        return partition(project.toString(), partitions);
    }

    static int partition(String key, int partitions) {
        return BuiltInPartitioner.partitionForKey(key.getBytes(StandardCharsets.UTF_8), partitions);
    }
}

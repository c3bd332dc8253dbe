package dev.parley.sessions.changes;

import static dev.parley.platform.kafka.Topics.ACCESS;
import static dev.parley.platform.kafka.Topics.PROJECT_CHANGES;
import static dev.parley.platform.kafka.Topics.TURN_EVENTS;

import dev.parley.domain.RecordKey;
import dev.parley.platform.kafka.Topic;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Produced;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the events of each project's sessions, the project and its members to {@code project-changes}, where all of a
 * project stands in one partition under keys that begin with the project's id. Values travel as the bytes that they are, and
 * tombstones as well: what is erased there is erased here.
 */
public final class ProjectChanges {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectChanges.class);
    private static final Serde<byte[]> BYTES = Serdes.ByteArray();

    private ProjectChanges() {}

    /** The topology, complete. */
    public static Topology topology() {
        var builder = new StreamsBuilder();
        copies(builder, TURN_EVENTS, ProjectChanges::ofEvent)
                .merge(copies(builder, ACCESS, ProjectChanges::ofAccess))
                .to(
                        PROJECT_CHANGES.name(),
                        Produced.with(BYTES, BYTES).withStreamPartitioner(ProjectChanges::partition));
        return builder.build();
    }

    private static KStream<byte[], byte[]> copies(
            StreamsBuilder builder, Topic<?> topic, Function<String, @Nullable String> keys) {
        return builder.stream(topic.name(), Consumed.with(BYTES, BYTES))
                .selectKey((key, value) -> key(topic, key, keys))
                .filter((key, value) -> key != null);
    }

    /** The key of the copy, or null where there is to be none. */
    private static byte @Nullable [] key(
            Topic<?> topic, byte @Nullable [] key, Function<String, @Nullable String> keys) {
        if (key == null) {
            return null;
        }
        try {
            String copy = keys.apply(text(key));
            return copy == null ? null : copy.getBytes(StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            LOG.atWarn().setCause(e).log("a record of {} has no key of a project and is not copied", topic);
            return null;
        }
    }

    /** {@code {project}/{session key}#{seq}} with the project's id instead of its key. */
    private static String ofEvent(String key) {
        int hash = key.lastIndexOf('#');
        RecordKey session = RecordKey.parse(key.substring(0, Math.max(0, hash)));
        return session.projectId() + "/" + session.session() + key.substring(hash);
    }

    /** {@code {project id}/project} and {@code {project id}/member/{user}}; no event has such a key. */
    private static @Nullable String ofAccess(String key) {
        String[] parts = key.split("/", 3);
        if (parts[0].equals("project") && parts.length == 2) {
            return RecordKey.projectId(parts[1]) + "/project";
        }
        if (parts[0].equals("member") && parts.length == 3) {
            return UUID.fromString(parts[1]) + "/member/" + parts[2];
        }
        return null;
    }

    /** The partition in which all of a project is. */
    public static int partition(UUID project, int partitions) {
        return BuiltInPartitioner.partitionForKey(project.toString().getBytes(StandardCharsets.UTF_8), partitions);
    }

    private static Optional<Set<Integer>> partition(String topic, byte[] key, byte[] value, int partitions) {
        String text = text(key);
        return Optional.of(Set.of(partition(UUID.fromString(text.substring(0, text.indexOf('/'))), partitions)));
    }

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }
}

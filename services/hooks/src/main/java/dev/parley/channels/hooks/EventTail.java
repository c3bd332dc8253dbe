package dev.parley.channels.hooks;

import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the events of all projects from a position onwards, for one reader. Not thread-safe. */
final class EventTail implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventTail.class);
    private static final int ONE_MIB = 1 << 20;
    private static final Map<String, Object> FETCH_LIMITS = Map.of(
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
            4 * ONE_MIB,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
            ONE_MIB);

    private final Consumer<byte[], byte[]> consumer;
    private final List<TopicPartition> turns;
    private final List<TopicPartition> processes;
    private final Map<TopicPartition, Long> next = new HashMap<>();
    private final boolean missed;

    /**
     * @param from null for the current end of the topics
     *
     * @throws IllegalArgumentException for a position with other partitions
     */
    EventTail(KafkaClients clients, @Nullable TailPosition from) {
        consumer = clients.consumer("project-events-" + UUID.randomUUID(), null, FETCH_LIMITS);
        try {
            turns = partitions(Topics.TURN_EVENTS);
            processes = partitions(Topics.WORKFLOW_EVENTS);
            List<TopicPartition> partitions =
                    Stream.of(turns, processes).flatMap(Collection::stream).toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            missed = from != null && !seek(from, consumer.beginningOffsets(partitions), ends);
            if (from == null) {
                next.putAll(ends);
            }
            next.forEach(consumer::seek);
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
    }

    private List<TopicPartition> partitions(Topic<?> topic) {
        return KafkaClients.partitions(consumer, topic).stream()
                .sorted((a, b) -> Integer.compare(a.partition(), b.partition()))
                .toList();
    }

    /** @return whether no event after the position was deleted by retention */
    private boolean seek(TailPosition from, Map<TopicPartition, Long> starts, Map<TopicPartition, Long> ends) {
        if (from.turns().size() != turns.size() || from.processes().size() != processes.size()) {
            throw new IllegalArgumentException("a position of other topics");
        }
        boolean complete = true;
        List<Long> offsets = Stream.of(from.turns(), from.processes())
                .flatMap(Collection::stream)
                .toList();
        List<TopicPartition> partitions =
                Stream.of(turns, processes).flatMap(Collection::stream).toList();
        for (int i = 0; i < partitions.size(); i++) {
            long start = starts.getOrDefault(partitions.get(i), 0L);
            long end = ends.getOrDefault(partitions.get(i), 0L);
            complete &= offsets.get(i) >= start && offsets.get(i) <= end;
            next.put(partitions.get(i), Math.clamp(offsets.get(i), start, end));
        }
        return complete;
    }

    /** Whether retention has already deleted some events after the position. */
    boolean hasMissed() {
        return missed;
    }

    /** The position after the last event read. */
    TailPosition position() {
        return new TailPosition(offsets(turns), offsets(processes));
    }

    private List<Long> offsets(List<TopicPartition> partitions) {
        return partitions.stream()
                .map(partition -> next.getOrDefault(partition, 0L))
                .toList();
    }

    /** An event and the position after it. */
    record Placed(HookEvent event, TailPosition position) {}

    /** The matching events that arrive within the timeout. */
    List<Placed> next(Duration timeout, Predicate<HookEvent> filter) {
        var found = new ArrayList<Placed>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(timeout)) {
            next.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
            event(record).filter(filter).ifPresent(event -> found.add(new Placed(event, position())));
        }
        return found;
    }

    private static Optional<HookEvent> event(ConsumerRecord<byte[], byte[]> record) {
        boolean ofTurns = record.topic().equals(Topics.TURN_EVENTS.name());
        String type = RecordCodec.type(record).orElse("");
        if (record.value() == null || !(ofTurns ? HookEvent.isOfTurns(type) : HookEvent.isOfProcesses(type))) {
            return Optional.empty();
        }
        try {
            return ofTurns
                    ? HookEvent.of(RecordCodec.read(Topics.TURN_EVENTS, record))
                    : HookEvent.of(RecordCodec.read(Topics.WORKFLOW_EVENTS, record));
        } catch (SerializationException e) {
            LOG.atError().setCause(e).log("unreadable record of {} skipped", record.topic());
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}

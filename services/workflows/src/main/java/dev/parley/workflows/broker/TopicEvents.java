package dev.parley.workflows.broker;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.BrokersConfig.MappedTopic;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import dev.parley.platform.kafka.ConsumerThread;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.workflows.process.InboundEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the records of a topic as events, at least once and in order. Offsets are committed after the events are
 * written; the event routers discard duplicates. Invalid records are skipped. Reading pauses while the project does not
 * exist or is archived.
 */
final class TopicEvents implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicEvents.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);
    private static final Duration BROKER_TIMEOUT = Duration.ofSeconds(10);
    private static final Map<String, Object> CONSUMER = Map.of(
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
            false,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            100,
            ConsumerConfig.METADATA_MAX_AGE_CONFIG,
            10_000,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
            1 << 20);

    private final MappedTopic mapping;
    private final KafkaClients clients;
    private final CommandGateway gateway;
    private final AccessDirectory directory;
    private final String projectKey;
    private final String group;
    private final Counter published;
    private final Counter skipped;
    private final ConsumerThread thread = new ConsumerThread();
    private long failures;
    private long skips;
    private volatile @Nullable String problem;

    TopicEvents(
            MappedTopic mapping,
            KafkaClients clients,
            CommandGateway gateway,
            AccessDirectory directory,
            MeterRegistry meters) {
        this.mapping = mapping;
        this.clients = clients;
        this.gateway = gateway;
        this.directory = directory;
        projectKey = mapping.project() == null ? RecordKey.DEFAULT_PROJECT : mapping.project();
        group = "parley-topic-" + mapping.topic() + "-" + projectKey;
        published = meters.counter("parley_topic_events", "topic", mapping.topic());
        skipped = meters.counter("parley_topic_records_skipped", "topic", mapping.topic());
    }

    void start() {
        thread.start(group, clients.consumer(group, group, CONSUMER), this::run, this::onStopped);
    }

    private void run(Consumer<byte[], byte[]> consumer) {
        consumer.subscribe(List.of(mapping.topic()), new FirstPositions(consumer));
        while (!thread.isStopped()) {
            try {
                step(consumer);
                failures = 0;
            } catch (WakeupException e) {
                throw e;
            } catch (KafkaException e) {
                backOff(e);
            }
        }
    }

    private void onStopped(Throwable e) {
        problem = "records of the topic '" + mapping.topic() + "' are no longer published as events; see the log";
        LOG.atError().setCause(e).log("the mapping of {} stopped", mapping.topic());
    }

    /** Logs the first failure, then at every power of two. */
    private void backOff(Exception e) {
        if (Long.bitCount(++failures) == 1) {
            LOG.atWarn().setCause(e).log("records of {} could not be published; retrying", mapping.topic());
        }
        LockSupport.parkNanos(RETRY_DELAY.toNanos());
    }

    private void step(Consumer<byte[], byte[]> consumer) {
        Optional<Project> project = directory.project(projectKey).filter(found -> !found.archived());
        setPaused(consumer, project.isEmpty());
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        if (records.isEmpty()) {
            return;
        }
        if (project.isEmpty()) { // records of a newly assigned partition
            seekBack(consumer, records);
            return;
        }
        try {
            publish(project.get(), records);
        } catch (ExecutionException | TimeoutException e) {
            seekBack(consumer, records);
            backOff(e);
            return;
        }
        commit(consumer);
    }

    private static void setPaused(Consumer<byte[], byte[]> consumer, boolean paused) {
        if (paused) {
            consumer.pause(consumer.assignment());
        } else {
            consumer.resume(consumer.paused());
        }
    }

    /** Seeks back, so that the records are read again. */
    private static void seekBack(Consumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records) {
        for (TopicPartition partition : records.partitions()) {
            consumer.seek(partition, records.records(partition).getFirst().offset());
        }
    }

    private void commit(Consumer<byte[], byte[]> consumer) {
        try {
            consumer.commitSync(BROKER_TIMEOUT);
        } catch (WakeupException e) {
            throw e;
        } catch (KafkaException e) { // records are read again, without effect
            LOG.atDebug().setCause(e).log("offsets of {} could not be committed", group);
        }
    }

    private void publish(Project project, ConsumerRecords<byte[], byte[]> records)
            throws ExecutionException, TimeoutException {
        var tickets = new ArrayList<Ticket>();
        try {
            int events = 0;
            for (ConsumerRecord<byte[], byte[]> record : records) {
                Optional<InboundEvent> event = event(record);
                events += event.isPresent() ? 1 : 0;
                event.ifPresent(inbound -> tickets.addAll(send(project, inbound)));
            }
            for (Ticket ticket : tickets) {
                ticket.sent().get(BROKER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            }
            published.increment(events);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WakeupException();
        } finally {
            tickets.forEach(Ticket::close);
        }
    }

    private List<Ticket> send(Project project, InboundEvent event) {
        return event.routers(project.projectKey()).stream()
                .map(router -> {
                    var meta = new CommandMeta(event.id(router), project.host(), Instant.now(), null, null, null);
                    return gateway.send(event.command(router, meta));
                })
                .toList();
    }

    private Optional<InboundEvent> event(ConsumerRecord<byte[], byte[]> record) {
        String reason;
        try {
            var event = new InboundEvent(new RecordEvent(mapping, record).event());
            reason = event.isTooLarge() ? "it is too large" : event.problem().orElse("");
            if (reason.isEmpty()) {
                return Optional.of(event);
            }
        } catch (IllegalArgumentException e) {
            reason = String.valueOf(e.getMessage());
        }
        skip(record, reason);
        return Optional.empty();
    }

    /** Counts a skipped record, and logs the first one, then at every power of two. */
    private void skip(ConsumerRecord<byte[], byte[]> record, String reason) {
        skipped.increment();
        if (Long.bitCount(++skips) == 1) {
            LOG.atWarn()
                    .log(
                            "the record at {}-{}@{} is not a valid event and is skipped, as were {} others: {}",
                            record.topic(),
                            record.partition(),
                            record.offset(),
                            skips - 1,
                            reason);
        }
    }

    /**
     * A new mapping reads records from now on: partitions that exist are read from their end, those created later from
     * their beginning.
     */
    private final class FirstPositions implements ConsumerRebalanceListener {
        private final Consumer<byte[], byte[]> consumer;
        private final boolean existed;

        FirstPositions(Consumer<byte[], byte[]> consumer) {
            this.consumer = consumer;
            existed = !partitions().isEmpty();
        }

        private List<TopicPartition> partitions() {
            try {
                return consumer.partitionsFor(mapping.topic(), BROKER_TIMEOUT).stream()
                        .map(info -> new TopicPartition(info.topic(), info.partition()))
                        .toList();
            } catch (WakeupException e) {
                throw e;
            } catch (KafkaException e) { // brokers unavailable: the topic may exist
                backOff(e);
                return List.of(new TopicPartition(mapping.topic(), 0));
            }
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
            var partitions = new HashSet<>(partitions());
            partitions.addAll(assigned);
            Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(partitions, BROKER_TIMEOUT);
            boolean isNew = committed.values().stream().allMatch(Objects::isNull);
            var first = new HashMap<TopicPartition, OffsetAndMetadata>();
            for (TopicPartition partition : assigned) {
                if (committed.get(partition) == null) {
                    if (isNew && existed) {
                        consumer.seekToEnd(List.of(partition));
                    } else {
                        consumer.seekToBeginning(List.of(partition));
                    }
                    first.put(partition, new OffsetAndMetadata(consumer.position(partition, BROKER_TIMEOUT)));
                }
            }
            if (!first.isEmpty()) {
                // so that a restart before the first record begins there, too
                consumer.commitSync(first, BROKER_TIMEOUT);
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            // records that were read are committed
        }
    }

    Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    @Override
    public void close() {
        thread.close(ConsumerThread.CLOSE_TIMEOUT);
    }
}

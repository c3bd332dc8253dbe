package dev.parley.workflows.view;

import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.platform.http.EventStream;
import dev.parley.platform.kafka.ConsumerThread;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Streams process events to subscribers. One consumer serves all subscribers and starts with the first. */
@Singleton
public final class ProcessHub {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessHub.class);
    private static final Duration POLL = Duration.ofMillis(500);
    /** Buffered events per subscriber. */
    private static final int MAX_BUFFERED = 2_000;

    private final KafkaClients clients;
    private final Map<UUID, Set<Watch>> watches = new ConcurrentHashMap<>();
    private @Nullable ConsumerThread thread;

    ProcessHub(KafkaClients clients) {
        this.clients = clients;
    }

    /** A subscriber to a process. */
    public final class Watch implements AutoCloseable {
        private final UUID process;
        private final LinkedBlockingQueue<WorkflowEvent> events = new LinkedBlockingQueue<>(MAX_BUFFERED);
        private volatile boolean ended;

        private Watch(UUID process) {
            this.process = process;
        }

        /**
         * The next event; empty on timeout.
         *
         * @throws EventStream.EndedException if the stream ended, because the subscriber is too slow or the server
         *     stops
         */
        public Optional<WorkflowEvent> next(Duration timeout) throws InterruptedException {
            WorkflowEvent event = events.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (event == null && ended) {
                throw new EventStream.EndedException();
            }
            return Optional.ofNullable(event);
        }

        private void offer(WorkflowEvent event) {
            if (!events.offer(event)) {
                ended = true;
                close();
            }
        }

        @Override
        public void close() {
            watches.computeIfPresent(process, (_, subscribers) -> {
                subscribers.remove(this);
                return subscribers.isEmpty() ? null : subscribers;
            });
        }
    }

    /** Subscribes to the events of a process from now on. */
    public Watch watch(UUID process) {
        begin();
        var watch = new Watch(process);
        watches.computeIfAbsent(process, _ -> ConcurrentHashMap.newKeySet()).add(watch);
        return watch;
    }

    private synchronized void begin() {
        if (thread != null) {
            return;
        }
        Consumer<byte[], byte[]> consumer = consumerAtTheEnd();
        var reading = new ConsumerThread();
        thread = reading;
        reading.start("workflow-watch", consumer, following -> read(following, reading), e -> {
            LOG.atError().setCause(e).log("streaming of process events stopped");
            stop();
        });
    }

    private Consumer<byte[], byte[]> consumerAtTheEnd() {
        Consumer<byte[], byte[]> consumer = clients.consumer("workflow-watch", null, Map.of());
        try {
            List<TopicPartition> partitions = KafkaClients.partitions(consumer, Topics.WORKFLOW_EVENTS);
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            partitions.forEach(consumer::position); // fixes the start positions, so that no later event is missed
            return consumer;
        } catch (RuntimeException e) { // such as the interrupt of a subscriber that disconnects
            consumer.close();
            throw e;
        }
    }

    private void read(Consumer<byte[], byte[]> consumer, ConsumerThread reading) {
        while (!reading.isStopped()) {
            consumer.poll(POLL).forEach(this::forward);
        }
    }

    private void forward(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null || watches.isEmpty()) {
            return;
        }
        try {
            WorkflowEvent event = RecordCodec.read(Topics.WORKFLOW_EVENTS, record);
            watches.getOrDefault(event.meta().process().id(), Set.of()).forEach(watch -> watch.offer(event));
        } catch (SerializationException e) {
            LOG.atDebug().setCause(e).log("unreadable event skipped");
        }
    }

    /** Closes all subscriptions; the next subscriber restarts the consumer. */
    private synchronized void stop() {
        thread = null;
        watches.values().forEach(subscribers -> subscribers.forEach(watch -> watch.ended = true));
    }

    @PreDestroy
    void close() {
        ConsumerThread reading = thread;
        stop();
        if (reading != null) {
            reading.close(ConsumerThread.CLOSE_TIMEOUT);
        }
    }
}

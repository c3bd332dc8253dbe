package dev.parley.workflows.work;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.config.BrokersConfig.Broker;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.broker.Brokers;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Kafka topics as AsyncAPI channels, on allow-listed brokers. A subscription has no consumer group: each call passes
 * its cursor.
 */
final class KafkaChannel {
    /** Limits of the messages that one call returns. */
    private static final int MAX_MESSAGES = 100;

    private static final int MAX_BYTES = 256 << 10;

    /** Maximum wait of one call for the first message. */
    private static final Duration POLL_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration BROKER_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration MARGIN = Duration.ofSeconds(1);
    private static final int MAX_CONSUMERS = 256;
    private static final String CLIENT = "parley-workflows";
    private static final Map<String, Object> CONSUMER = Map.of(
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
            false,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            MAX_MESSAGES,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
            MAX_BYTES,
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
            4 * MAX_BYTES);

    private final Brokers brokers;
    private final Semaphore consumers = new Semaphore(MAX_CONSUMERS, true);

    KafkaChannel(Brokers brokers) {
        this.brokers = brokers;
    }

    /** The broker that a document names. */
    private Broker broker(WorkRequest request, String servers, String topic) throws CallException {
        Broker broker = brokers.find(servers, CallExecutors.scope(request))
                .orElseThrow(() -> CallException.configuration(
                        "workflows here cannot use the broker '%s'; the operator can list it for this project (workflows.kafka in parley.yml)"
                                .formatted(servers)));
        if (!Topics.isName(topic)) {
            throw CallException.configuration("'" + topic + "' is not a valid topic name");
        }
        if (Topics.isOwn(topic)) {
            throw CallException.configuration(
                    "the topic '" + topic + "' is one of Parley's own, which workflows cannot use");
        }
        return broker;
    }

    /** Publishes a message and waits until all replicas have stored it; returns its topic, partition and offset. */
    Json publish(WorkRequest request, String servers, String topic, Json message, Deadline end)
            throws CallException, InterruptedException {
        Broker broker = broker(request, servers, topic);
        var sent = new ProducerRecord<byte[], byte[]>(topic, bytes(message.get("key")), bytes(message.get("payload")));
        message.get("headers").map().forEach((name, value) -> {
            if (!name.equals(KafkaMessage.IDEMPOTENCY_KEY)) {
                sent.headers().add(name, bytes(value));
            }
        });
        sent.headers()
                .add(KafkaMessage.IDEMPOTENCY_KEY, request.idempotencyKey().getBytes(UTF_8));
        try {
            Producer<byte[], byte[]> producer = brokers.producer(broker);
            RecordMetadata metadata = send(broker, producer, sent, end.left().toMillis());
            return Json.of("topic", Json.of(topic))
                    .with("partition", Json.of(metadata.partition()))
                    .with("offset", Json.of(metadata.offset()));
        } catch (Secrets.MissingException e) {
            throw CallException.configuration("the broker's settings cannot be used: " + e.getMessage(), e);
        }
    }

    private RecordMetadata send(
            Broker broker, Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record, long millis)
            throws CallException, InterruptedException {
        try {
            return producer.send(record).get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw CallException.communication("the broker did not confirm the message in time; it may have stored it");
        } catch (ExecutionException e) {
            throw failure(broker, producer, e.getCause() == null ? e : e.getCause());
        } catch (KafkaException | IllegalStateException e) {
            throw failure(broker, producer, e);
        }
    }

    private CallException failure(Broker broker, Producer<byte[], byte[]> producer, Throwable e)
            throws InterruptedException {
        if (e instanceof InterruptException) {
            throw interrupted();
        }
        if (!(e instanceof RetriableException) && !(e instanceof RecordTooLargeException)) {
            brokers.discard(broker, producer);
        }
        return CallException.communication("the broker rejected the message: " + e.getMessage(), e);
    }

    /** The interrupt as an exception; clears the status of the thread, which Kafka's clients have set. */
    private static InterruptedException interrupted() {
        Thread.interrupted();
        return new InterruptedException("cancelled");
    }

    @SuppressWarnings("NullAway") // a record may have no key, and no value
    private static byte[] bytes(Json value) {
        return value.isNull() ? null : value.text().orElseGet(value::toString).getBytes(UTF_8);
    }

    /**
     * The cursor of a new subscription: the end of the topic.
     *
     * @param correlation location of the correlation id in messages
     */
    Json begin(WorkRequest request, String servers, String topic, Json correlation, Cancellation cancellation)
            throws CallException, InterruptedException {
        Broker broker = broker(request, servers, topic);
        Map<TopicPartition, Long> ends = this.<Map<TopicPartition, Long>>withConsumer(
                        broker, BROKER_TIMEOUT, cancellation, consumer -> {
                            List<TopicPartition> partitions = partitions(consumer, topic);
                            return partitions.isEmpty() ? Map.of() : consumer.endOffsets(partitions, BROKER_TIMEOUT);
                        })
                .orElseThrow(() -> CallException.communication(
                        "all %d consumers of this process are in use".formatted(MAX_CONSUMERS)));
        if (ends.isEmpty()) {
            throw CallException.communication("the broker has no topic '" + topic + "'");
        }
        Json cursor = Json.of("servers", Json.of(servers))
                .with("topic", Json.of(topic))
                .with("correlation", correlation)
                .with("positions", positions(ends));
        return batch(cursor, List.of());
    }

    /** The next messages, as soon as there are any, or none after {@link #POLL_TIMEOUT}; and the cursor after them. */
    Json next(WorkRequest request, Json cursor, Cancellation cancellation) throws CallException, InterruptedException {
        String topic = cursor.get("topic").display();
        Broker broker = broker(request, cursor.get("servers").display(), topic);
        Duration wait = pollTimeout(cancellation.deadline());
        Optional<PollResult> polled = withConsumer(broker, wait, cancellation, consumer -> {
            seek(consumer, topic, cursor.get("positions"));
            return poll(consumer, wait);
        });
        return polled.isPresent() ? takeMessages(cursor, polled.get()) : batch(cursor, List.of());
    }

    /** The remaining time less a margin, so that the result arrives before the deadline. */
    private static Duration pollTimeout(Deadline deadline) {
        Duration remaining = deadline.left();
        Duration timeout = remaining.compareTo(MARGIN) > 0 ? remaining.minus(MARGIN) : remaining;
        return timeout.compareTo(POLL_TIMEOUT) < 0 ? timeout : POLL_TIMEOUT;
    }

    /** @param positions the next offset of each partition */
    private record PollResult(ConsumerRecords<byte[], byte[]> records, Map<TopicPartition, Long> positions) {}

    /** Continues after empty polls, which also occur when a poll only passes transaction markers. */
    private static PollResult poll(Consumer<byte[], byte[]> consumer, Duration wait) {
        long end = System.nanoTime() + wait.toNanos();
        ConsumerRecords<byte[], byte[]> records;
        long remaining;
        do {
            remaining = end - System.nanoTime();
            records = consumer.poll(Duration.ofNanos(Math.max(remaining, 0)));
        } while (records.isEmpty() && remaining > 0);
        var positions = new HashMap<TopicPartition, Long>();
        consumer.assignment()
                .forEach(partition -> positions.put(partition, consumer.position(partition, BROKER_TIMEOUT)));
        return new PollResult(records, positions);
    }

    private static List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer, String topic) {
        List<PartitionInfo> partitions = consumer.partitionsFor(topic, BROKER_TIMEOUT);
        return partitions == null
                ? List.of()
                : partitions.stream()
                        .map(partition -> new TopicPartition(topic, partition.partition()))
                        .toList();
    }

    /** New partitions are read from their beginning. */
    private static void seek(Consumer<byte[], byte[]> consumer, String topic, Json positions) {
        List<TopicPartition> partitions = partitions(consumer, topic);
        consumer.assign(partitions);
        for (TopicPartition partition : partitions) {
            Json position = positions.get(String.valueOf(partition.partition()));
            if (position instanceof Json.Num number) {
                consumer.seek(partition, number.value().longValueExact());
            } else {
                consumer.seekToBeginning(List.of(partition));
            }
        }
    }

    private static Json takeMessages(Json cursor, PollResult polled) throws CallException {
        var messages = new ArrayList<Json>();
        int bytes = 0;
        for (ConsumerRecord<byte[], byte[]> record : polled.records()) {
            var message = new KafkaMessage(record);
            if (message.size() > MAX_BYTES) {
                throw CallException.communication("the message at offset %d of %s-%d has more than %d KiB"
                        .formatted(record.offset(), record.topic(), record.partition(), MAX_BYTES >> 10));
            }
            bytes += message.size();
            if (bytes > MAX_BYTES) { // the next call returns it and the later ones
                var partition = new TopicPartition(record.topic(), record.partition());
                polled.positions().merge(partition, record.offset(), Math::min);
            } else {
                messages.add(message.json(cursor.get("correlation")));
            }
        }
        return batch(cursor.with("positions", positions(polled.positions())), messages);
    }

    private static Json positions(Map<TopicPartition, Long> ends) {
        var positions = new LinkedHashMap<String, Json>();
        ends.forEach((partition, end) -> positions.put(String.valueOf(partition.partition()), Json.of(end)));
        return Json.of(positions);
    }

    private static Json batch(Json cursor, List<Json> messages) {
        return Json.of("cursor", cursor).with("messages", messages.isEmpty() ? Values.EMPTY_ARRAY : Json.of(messages));
    }

    /** Runs an action with a new consumer; empty if {@link #MAX_CONSUMERS} are in use throughout the wait. */
    private <T> Optional<T> withConsumer(
            Broker broker, Duration wait, Cancellation cancellation, Function<Consumer<byte[], byte[]>, T> action)
            throws CallException, InterruptedException {
        if (!consumers.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS)) {
            return Optional.empty();
        }
        try (Consumer<byte[], byte[]> consumer = brokers.clients(broker).consumer(CLIENT, null, CONSUMER)) {
            cancellation.onCancel(consumer::wakeup);
            return Optional.of(action.apply(consumer));
        } catch (WakeupException | InterruptException e) {
            throw interrupted();
        } catch (Secrets.MissingException e) {
            throw CallException.configuration("the broker's settings cannot be used: " + e.getMessage(), e);
        } catch (KafkaException e) {
            throw CallException.communication("the messages could not be fetched: " + e.getMessage(), e);
        } finally {
            consumers.release();
        }
    }
}

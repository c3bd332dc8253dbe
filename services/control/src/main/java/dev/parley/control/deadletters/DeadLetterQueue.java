package dev.parley.control.deadletters;

import dev.parley.control.deadletters.DeadLetter.Place;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topics;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Reads and re-drives the topic {@code dead-letters}. Requests are rare, so each reads from the brokers. A re-drive
 * commits the original record and a marker on {@code dead-letters}, without a value, in one transaction: no letter is
 * re-driven twice.
 */
@Singleton
final class DeadLetterQueue {
    /** Limit of a list: the newest letters. */
    static final int MAX_LETTERS = 10_000;

    private static final Duration POLL_TIMEOUT = Duration.ofMillis(50);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(20);
    private static final String TRANSACTIONAL_ID = "parley-dead-letters";

    private static final Comparator<DeadLetter> NEWEST_FIRST =
            Comparator.comparing(DeadLetter::at).thenComparing(DeadLetter::id).reversed();

    private final KafkaClients clients;
    private final RedriveTarget target;

    DeadLetterQueue(KafkaClients clients, RedriveTarget target) {
        this.clients = clients;
        this.target = target;
    }

    /**
     * The result of a re-drive.
     *
     * @param redriven ids of the re-driven letters
     * @param left the number of further matching letters
     */
    record Redriven(List<String> redriven, int left) {}

    /**
     * Matching letters, newest first.
     *
     * @param from the earliest time
     * @throws ApiException 503 when there are too many to read in 20 s
     */
    List<DeadLetter> find(Instant from, Predicate<DeadLetter> filter) {
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            return scan(consumer, from, filter);
        }
    }

    /** A letter with its headers and value; empty when the offset has no letter, or it was deleted. */
    Optional<ConsumerRecord<byte[], byte[]>> read(Place place) {
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            return read(consumer, place);
        }
    }

    /**
     * Sends letters to their topics again, oldest first, with unchanged bytes, key and headers; those of a JSON mirror to
     * the mirror. Letters that were re-driven before, or that the mirror still cannot take, are skipped.
     *
     * @param max the limit
     * @throws ApiException 409 when another re-drive is in progress
     */
    Redriven redrive(Instant from, Predicate<DeadLetter> filter, int max) {
        var options = Map.<String, Object>of(
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                TRANSACTIONAL_ID,
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                10_000);
        try (Producer<byte[], byte[]> producer = clients.withoutSignatures().producer(TRANSACTIONAL_ID, options);
                Consumer<byte[], byte[]> consumer = consumer()) {
            producer.initTransactions(); // fences other re-drives: what they committed is visible from here on
            return redrive(
                    producer,
                    consumer,
                    scan(consumer, from, letter -> letter.redrivable() && filter.test(letter)),
                    max);
        } catch (ProducerFencedException | InvalidProducerEpochException e) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "busy",
                    "Another re-drive of dead letters is in progress: check the list, then retry.");
        }
    }

    private Redriven redrive(
            Producer<byte[], byte[]> producer, Consumer<byte[], byte[]> consumer, List<DeadLetter> found, int max) {
        List<DeadLetter> pending = found.stream()
                .filter(letter -> letter.redriven() == null)
                .sorted(Comparator.comparing(DeadLetter::at))
                .toList();
        var redriven = new ArrayList<String>();
        for (DeadLetter letter : pending.subList(0, Math.min(max, pending.size()))) {
            Place place = DeadLetter.parsePlace(letter.id()).orElseThrow();
            read(consumer, place).flatMap(record -> target.of(letter, record)).ifPresent(record -> {
                send(producer, letter, record);
                redriven.add(letter.id());
            });
        }
        return new Redriven(redriven, pending.size() - redriven.size());
    }

    private static void send(
            Producer<byte[], byte[]> producer, DeadLetter letter, ProducerRecord<byte[], byte[]> record) {
        producer.beginTransaction();
        try {
            var _ = producer.send(record);
            var _ = producer.send(redrivenMarker(letter.id()));
            producer.commitTransaction();
        } catch (KafkaException e) {
            producer.close(Duration.ZERO); // the next re-drive aborts the open transaction
            throw e;
        }
    }

    private static ProducerRecord<byte[], byte[]> redrivenMarker(String id) {
        byte[] name = id.getBytes(StandardCharsets.UTF_8);
        var headers = new RecordHeaders().add(DeadLetters.REDRIVEN, name);
        return new ProducerRecord<>(Topics.DEAD_LETTERS.name(), null, null, name, null, headers);
    }

    private Consumer<byte[], byte[]> consumer() {
        return clients.consumer(
                "dead-letters-" + UUID.randomUUID(), null, Map.of(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 50));
    }

    private static List<DeadLetter> scan(
            Consumer<byte[], byte[]> consumer, Instant from, Predicate<DeadLetter> filter) {
        var letters = new BoundedMap<String, DeadLetter>(MAX_LETTERS);
        var redriven = new HashMap<String, Instant>();
        readAll(consumer, from, record -> {
            String marked = DeadLetter.text(record, DeadLetters.REDRIVEN);
            if (!marked.isEmpty()) {
                redriven.put(marked, Instant.ofEpochMilli(record.timestamp()));
                return;
            }
            DeadLetter letter = DeadLetter.of(record);
            if (filter.test(letter)) {
                letters.put(letter.id(), letter);
            }
        });
        return letters.values().stream()
                .map(letter -> letter.redrivenAt(redriven.get(letter.id())))
                .sorted(NEWEST_FIRST)
                .toList();
    }

    private static void readAll(
            Consumer<byte[], byte[]> consumer,
            Instant from,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        List<TopicPartition> partitions = KafkaClients.partitions(consumer, Topics.DEAD_LETTERS);
        consumer.assign(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        seek(consumer, from, ends);
        long deadline = System.nanoTime() + READ_TIMEOUT.toNanos();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() > deadline) {
                throw new ApiException(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "too_many",
                        "There are too many dead letters to read in 20 s: set a later 'from'.");
            }
            consumer.poll(POLL_TIMEOUT).forEach(reader);
        }
    }

    private static void seek(Consumer<byte[], byte[]> consumer, Instant from, Map<TopicPartition, Long> ends) {
        var times = new HashMap<TopicPartition, Long>();
        ends.keySet().forEach(partition -> times.put(partition, Math.max(0, from.toEpochMilli())));
        consumer.offsetsForTimes(times)
                .forEach((partition, first) ->
                        consumer.seek(partition, first == null ? ends.getOrDefault(partition, 0L) : first.offset()));
    }

    private static Optional<ConsumerRecord<byte[], byte[]>> read(Consumer<byte[], byte[]> consumer, Place place) {
        var partition = place.partition();
        if (KafkaClients.partitions(consumer, Topics.DEAD_LETTERS).stream().noneMatch(partition::equals)) {
            return Optional.empty();
        }
        consumer.assign(List.of(partition));
        if (!isRetained(consumer, place)) {
            return Optional.empty();
        }
        consumer.seek(partition, place.offset());
        long deadline = System.nanoTime() + READ_TIMEOUT.toNanos();
        while (consumer.position(partition) <= place.offset() && System.nanoTime() < deadline) {
            var found = consumer.poll(POLL_TIMEOUT).records(partition);
            if (!found.isEmpty()) {
                return Optional.of(found.getFirst())
                        .filter(record -> record.offset() == place.offset())
                        .filter(record -> record.headers().lastHeader(DeadLetters.REDRIVEN) == null);
            }
        }
        return Optional.empty();
    }

    private static boolean isRetained(Consumer<byte[], byte[]> consumer, Place place) {
        var partition = place.partition();
        long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
        long first = consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
        return place.offset() >= first && place.offset() < end;
    }
}

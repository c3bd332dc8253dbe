package dev.parley.server;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.schemas.SchemaCatalog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The topics of an installation as text, a file each, and the offsets of its groups: written by a release for
 * later ones. Records are restored at their offsets, because tables and groups refer to them.
 */
final class ReleasedTopics {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ENDING = ".jsonl";
    private static final String GROUPS = "groups.json";
    private static final byte[] NOTHING = {};

    /**
     * The first line of a topic's file.
     *
     * @param ends the end offset of each partition
     */
    record Head(List<Long> ends, Map<String, String> configs) {}

    /** Each other line: a committed record. */
    record Line(
            int partition,
            long offset,
            long timestamp,
            Map<String, String> headers,
            byte[] key,
            byte @Nullable [] value) {
        static Line of(ConsumerRecord<byte[], byte[]> record) {
            var headers = new TreeMap<String, String>();
            record.headers()
                    .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
            return new Line(
                    record.partition(), record.offset(), record.timestamp(), headers, record.key(), record.value());
        }

        ProducerRecord<byte[], byte[]> record(String topic, Duration shift) {
            var recordHeaders = new RecordHeaders();
            headers.forEach((name, text) -> recordHeaders.add(name, text.getBytes(StandardCharsets.UTF_8)));
            return new ProducerRecord<>(
                    topic,
                    partition,
                    timestamp + shift.toMillis(),
                    key,
                    value == null ? null : shifted(value, shift),
                    recordHeaders);
        }
    }

    /** The committed offset of a group in a partition. */
    record Read(long offset, String metadata) {}

    private ReleasedTopics() {}

    // ---- out of a broker

    /** Writes all topics of a broker whose clients have ended; open transactions are aborted and left out. */
    static void write(KafkaClients clients, Path folder) throws IOException, ExecutionException, InterruptedException {
        Files.createDirectories(folder);
        try (Admin admin = clients.admin("released")) {
            List<String> writers = admin.listTransactions().all().get().stream()
                    .map(TransactionListing::transactionalId)
                    .toList();
            admin.fenceProducers(writers).all().get();
            for (String topic : admin.listTopics().names().get()) {
                Files.writeString(folder.resolve(topic + ENDING), topic(clients, admin, topic));
            }
            var groups = new TreeMap<String, Map<String, Read>>();
            for (var group : admin.listGroups().all().get()) {
                var offsets = new TreeMap<String, Read>();
                admin.listConsumerGroupOffsets(group.groupId())
                        .partitionsToOffsetAndMetadata()
                        .get()
                        .forEach((partition, committed) ->
                                offsets.put(partition.toString(), new Read(committed.offset(), committed.metadata())));
                groups.put(group.groupId(), offsets);
            }
            Files.writeString(
                    folder.resolve(GROUPS),
                    JSON.writerWithDefaultPrettyPrinter().writeValueAsString(groups) + "\n");
        }
    }

    private static String topic(KafkaClients clients, Admin admin, String topic)
            throws IOException, ExecutionException, InterruptedException {
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        var configs =
                new TreeMap<>(admin.describeConfigs(List.of(resource)).all().get().get(resource).entries().stream()
                        .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
                        .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value)));
        var partitions = admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().stream()
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(topic, partition.partition()), _ -> OffsetSpec.latest()));
        var endOffsets = admin.listOffsets(partitions).all().get().entrySet().stream()
                .sorted(Comparator.comparingInt(end -> end.getKey().partition()))
                .map(end -> end.getValue().offset())
                .toList();
        var text = new StringBuilder(JSON.writeValueAsString(new Head(endOffsets, configs)));
        for (var record : Records.all(clients, topic)) {
            text.append('\n').append(JSON.writeValueAsString(Line.of(record)));
        }
        return text.append('\n').toString();
    }

    // ---- into a broker

    /**
     * Creates the topics in an empty broker.
     *
     * @param shift added to all times, so that deadlines are as far ahead as when the release was recorded
     */
    static void load(Path folder, KafkaClients clients, Duration shift)
            throws IOException, ExecutionException, InterruptedException {
        try (Admin admin = clients.admin("released");
                Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(ENDING))
                    .sorted()
                    .toList()) {
                String topic = file.getFileName().toString().replace(ENDING, "");
                var lines = Files.readAllLines(file);
                Head head = JSON.readValue(lines.getFirst(), Head.class);
                admin.createTopics(List.of(new NewTopic(topic, head.ends().size(), (short) 1).configs(head.configs())))
                        .all()
                        .get();
                var records = new ArrayList<Line>();
                for (String line : lines.subList(1, lines.size())) {
                    records.add(JSON.readValue(line, Line.class));
                }
                new Filler(clients, topic, shift).fill(head.ends(), records);
            }
            Map<String, Map<String, Read>> groups =
                    JSON.readValue(folder.resolve(GROUPS).toFile(), new TypeReference<>() {});
            for (var group : groups.entrySet()) {
                var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
                group.getValue()
                        .forEach((partition, committed) -> offsets.put(
                                partition(partition), new OffsetAndMetadata(committed.offset(), committed.metadata())));
                admin.alterConsumerGroupOffsets(group.getKey(), offsets).all().get();
            }
        }
    }

    private static TopicPartition partition(String text) {
        int dash = text.lastIndexOf('-');
        return new TopicPartition(text.substring(0, dash), Integer.parseInt(text.substring(dash + 1)));
    }

    /** Writes records at their offsets; transaction markers and aborted records fill the gaps. */
    private record Filler(KafkaClients clients, String topic, Duration shift) {
        void fill(List<Long> endOffsets, List<Line> lines) throws ExecutionException, InterruptedException {
            try (var plain = clients.producer("released");
                    var transactions = clients.producer(
                            "released", Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "fill-" + topic))) {
                transactions.initTransactions();
                for (int partition = 0; partition < endOffsets.size(); partition++) {
                    int current = partition;
                    var waiting = new ArrayList<ProducerRecord<byte[], byte[]>>();
                    long next = 0;
                    for (Line line : lines.stream()
                            .filter(candidate -> candidate.partition() == current)
                            .toList()) {
                        gap(plain, transactions, waiting, current, line.offset() - next);
                        waiting.add(line.record(topic, shift));
                        next = line.offset() + 1;
                    }
                    gap(plain, transactions, waiting, current, endOffsets.get(current) - next);
                    send(plain, waiting);
                }
            }
        }

        /** Fills a gap after the waiting records: with their transaction marker, or with an aborted transaction. */
        private void gap(
                Producer<byte[], byte[]> plain,
                Producer<byte[], byte[]> transactions,
                List<ProducerRecord<byte[], byte[]>> waiting,
                int partition,
                long offsets)
                throws ExecutionException, InterruptedException {
            if (offsets == 0) {
                return;
            }
            if (offsets == 1 && waiting.isEmpty()) {
                throw new IllegalStateException(topic + "-" + partition + " cannot have a single gap at its beginning");
            }
            transactions.beginTransaction();
            send(offsets == 1 ? transactions : plain, waiting);
            waiting.clear();
            if (offsets == 1) {
                transactions.commitTransaction();
                return;
            }
            var emptyRecord = new ProducerRecord<>(topic, partition, NOTHING, NOTHING);
            send(transactions, Collections.nCopies((int) offsets - 1, emptyRecord));
            transactions.abortTransaction();
        }

        private static void send(Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records)
                throws ExecutionException, InterruptedException {
            var sent = new ArrayList<Future<RecordMetadata>>();
            records.forEach(record -> sent.add(producer.send(record)));
            producer.flush();
            for (var future : sent) {
                future.get();
            }
        }
    }

    // ---- times

    /** A value with all its times shifted; unchanged if it is no record of a schema. */
    private static byte[] shifted(byte[] value, Duration shift) {
        var bytes = ByteBuffer.wrap(value);
        if (value.length <= 5 || bytes.get() != 0) {
            return value;
        }
        var known = SchemaCatalog.bundled().byId(bytes.getInt());
        if (known.isEmpty()) {
            return value;
        }
        Schema schema = known.get().schema();
        try {
            Object record = new GenericDatumReader<>(schema)
                    .read(null, DecoderFactory.get().binaryDecoder(value, 5, value.length - 5, null));
            var out = new ByteArrayOutputStream();
            out.write(value, 0, 5);
            var encoder = EncoderFactory.get().binaryEncoder(out, null);
            new GenericDatumWriter<>(schema).write(shifted(schema, record, shift.toNanos() / 1000), encoder);
            encoder.flush();
            return out.toByteArray();
        } catch (IOException e) {
            throw new AssertionError("no " + schema.getFullName(), e);
        }
    }

    private static Object shifted(Schema schema, Object value, long micros) {
        return switch (schema.getType()) {
            case RECORD -> {
                var record = (GenericRecord) value;
                schema.getFields()
                        .forEach(field ->
                                record.put(field.pos(), shifted(field.schema(), record.get(field.pos()), micros)));
                yield record;
            }
            case UNION -> shifted(schema.getTypes().get(GenericData.get().resolveUnion(schema, value)), value, micros);
            case ARRAY ->
                ((List<?>) value)
                        .stream()
                                .map(element -> shifted(schema.getElementType(), element, micros))
                                .collect(Collectors.toCollection(ArrayList::new));
            case MAP -> {
                var map = new HashMap<Object, Object>();
                ((Map<?, ?>) value)
                        .forEach((key, element) -> map.put(key, shifted(schema.getValueType(), element, micros)));
                yield map;
            }
            case LONG ->
                schema.getLogicalType() instanceof LogicalTypes.TimestampMicros ? (Long) value + micros : value;
            default -> value;
        };
    }
}

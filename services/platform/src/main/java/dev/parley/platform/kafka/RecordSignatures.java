package dev.parley.platform.kafka;

import dev.parley.platform.sealing.InstallationKey;
import dev.parley.platform.sealing.MessageMacs;
import dev.parley.platform.serde.RecordSerde;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs records, and refuses those that nobody of this installation has signed: a topic is believed because of the key,
 * not because somebody could write to it. The header {@value #HEADER} is a MAC of topic, key and value (a tombstone has
 * none), and of the headers that say what the record is. {@link SigningProducer} and {@link VerifyingConsumer}, which
 * all clients of {@link KafkaClients} and all topologies use, call it; {@link Topics#isSigned} says for which topics.
 */
public final class RecordSignatures {
    /** Header: the signature. */
    public static final String HEADER = "parley_mac";

    /** Header: a number that grows with each record of a key, on topics of current states. */
    public static final String REVISION = "parley_revision";

    private static final Logger LOG = LoggerFactory.getLogger(RecordSignatures.class);
    private static final long LOG_INTERVAL_NANOS = 60_000_000_000L;
    private static final String[] SIGNED_HEADERS = {"ce_id", RecordSerde.TYPE, RecordSerde.DATASCHEMA, REVISION};

    private final MessageMacs macs;
    private final UnsignedRecords unsigned;
    private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();
    private final Map<String, Long> lastLogged = new ConcurrentHashMap<>();
    private final List<Consumer<Refused>> listeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<Headers>> deadLetterListeners = new CopyOnWriteArrayList<>();

    /**
     * A record that was refused.
     *
     * @param grouped whether its reader was a member of a consumer group, so that nobody else of the group sees it
     */
    public record Refused(ConsumerRecord<byte[], byte[]> record, RefusedRecordException cause, boolean grouped) {}

    public RecordSignatures(InstallationKey key, UnsignedRecords unsigned) {
        this.macs = key.macs(InstallationKey.Purpose.RECORDS);
        this.unsigned = unsigned;
    }

    /**
     * Signs a record, if those of its topic are signed, immediately before it is sent. A dead letter keeps the signature
     * of its record; that of an unsent one is signed as this process would have sent it.
     */
    void sign(ProducerRecord<byte[], byte[]> record) {
        String topic = record.topic();
        if (topic.equals(Topics.DEAD_LETTERS.name()) && record.headers().lastHeader(DeadLetters.BY) != null) {
            deadLetterListeners.forEach(listener -> listener.accept(record.headers()));
            if (record.headers().lastHeader(DeadLetters.UNSENT) != null) {
                record.headers().remove(DeadLetters.UNSENT);
                topic = DeadLetters.topic(record.headers());
            }
        }
        if (Topics.isSigned(topic)) {
            String mac = macs.sign(parts(topic, record.key(), record.value(), record.headers()));
            record.headers().remove(HEADER).add(HEADER, bytes(mac));
        }
    }

    /** The reason why a record is not accepted; empty if it is. */
    public Optional<RefusedRecordException> fault(ConsumerRecord<byte[], byte[]> record) {
        if (!Topics.isSigned(record.topic())) {
            return Optional.empty();
        }
        Header mac = record.headers().lastHeader(HEADER);
        if (mac == null || mac.value() == null) {
            return unsigned.accepts(new TopicPartition(record.topic(), record.partition()), record.offset())
                    ? Optional.empty()
                    : Optional.of(new RefusedRecordException("it is not signed"));
        }
        String text = new String(mac.value(), StandardCharsets.UTF_8);
        return macs.verifies(text, parts(record.topic(), record.key(), record.value(), record.headers()))
                ? Optional.empty()
                : Optional.of(new RefusedRecordException(
                        macs.knows(text)
                                ? "its signature is not that of its content"
                                : "it is signed with a key that is not in PARLEY_INSTALLATION_KEY"));
    }

    /** Whether the newest key has signed a record, so that it stays valid when older keys are removed. */
    boolean isCurrent(ConsumerRecord<byte[], byte[]> record) {
        Header mac = record.headers().lastHeader(HEADER);
        return mac != null && mac.value() != null && macs.isCurrent(new String(mac.value(), StandardCharsets.UTF_8));
    }

    /** The records that are accepted; the others are counted, logged and given to the listeners. */
    ConsumerRecords<byte[], byte[]> accepted(ConsumerRecords<byte[], byte[]> polled, boolean grouped) {
        var faults = new ArrayList<Refused>();
        polled.forEach(record -> fault(record).ifPresent(cause -> faults.add(new Refused(record, cause, grouped))));
        if (faults.isEmpty()) {
            return polled;
        }
        faults.forEach(this::refuse);
        var kept = new HashMap<TopicPartition, List<ConsumerRecord<byte[], byte[]>>>();
        for (TopicPartition partition : polled.partitions()) {
            var records = new ArrayList<>(polled.records(partition));
            records.removeIf(record -> faults.stream().anyMatch(fault -> fault.record() == record));
            if (!records.isEmpty()) {
                kept.put(partition, records);
            }
        }
        return new ConsumerRecords<>(kept, polled.nextOffsets());
    }

    /** Counts and logs a record that is not believed, and gives it to the listeners. */
    void refuse(Refused fault) {
        var record = fault.record();
        refused.computeIfAbsent(record.topic(), _ -> new LongAdder()).increment();
        if (mayLog(record.topic())) {
            LOG.atWarn()
                    .addKeyValue("topic", record.topic())
                    .addKeyValue("partition", record.partition())
                    .addKeyValue("offset", record.offset())
                    .addKeyValue("cause", fault.cause().getMessage())
                    .log("a record is refused: nobody of this installation has written it");
        }
        listeners.forEach(listener -> listener.accept(fault));
    }

    /** Whoever writes forged records must not fill the log with them: once a minute for a topic. */
    private boolean mayLog(String topic) {
        long now = System.nanoTime();
        Long last = lastLogged.get(topic);
        if (last != null && now - last < LOG_INTERVAL_NANOS) {
            return false;
        }
        lastLogged.put(topic, now);
        return true;
    }

    /** Adds a listener that receives each refused record, in the thread of its reader. */
    public void onRefused(Consumer<Refused> listener) {
        listeners.add(listener);
    }

    /** Adds a listener that receives the headers of each dead letter that this process sends, in the sender's thread. */
    public void onDeadLetter(Consumer<Headers> listener) {
        deadLetterListeners.add(listener);
    }

    /** The number of records of a topic that were refused. */
    public long refused(String topic) {
        LongAdder count = refused.get(topic);
        return count == null ? 0 : count.sum();
    }

    private static byte[] @Nullable [] parts(
            String topic, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        byte[] @Nullable [] parts = new byte[3 + SIGNED_HEADERS.length][];
        parts[0] = bytes(topic);
        parts[1] = key;
        parts[2] = value;
        for (int i = 0; i < SIGNED_HEADERS.length; i++) {
            Header header = headers.lastHeader(SIGNED_HEADERS[i]);
            parts[3 + i] = header == null ? null : header.value();
        }
        return parts;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

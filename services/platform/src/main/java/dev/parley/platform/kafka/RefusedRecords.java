package dev.parley.platform.kafka;

import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.service.Service;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells operators of refused records: they become dead letters, and are counted by topic. A record that every process
 * reads becomes one dead letter, that of the process that is responsible for its topic. All dead letters that this
 * process sends are counted here, too, whoever sends them.
 */
public final class RefusedRecords implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(RefusedRecords.class);
    static final String NAME = "refused-records";
    /** A reader must not wait long for the dead letter of a record that it does not use. */
    private static final Map<String, Object> SETTINGS = Map.of(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000);

    private final KafkaClients clients;
    private final Set<String> responsibleFor;
    private @Nullable Producer<byte[], byte[]> producer;
    private boolean closed;

    /** @param responsibleFor names of the topics that every process reads, of which this one reports refused records */
    public RefusedRecords(KafkaClients clients, Set<String> responsibleFor, @Nullable MeterRegistry meters) {
        this.clients = clients;
        this.responsibleFor = Set.copyOf(responsibleFor);
        RecordSignatures signatures = clients.signatures();
        if (meters != null && signatures != null) {
            for (Topic<?> topic : Topics.all()) {
                if (Topics.isSigned(topic.name())) {
                    FunctionCounter.builder(
                                    "parley.records.refused", signatures, counted -> counted.refused(topic.name()))
                            .tag("topic", topic.name())
                            .register(meters);
                    deadLetters(meters, NAME, topic.name()); // 0 until one is refused
                }
            }
            signatures.onDeadLetter(
                    headers -> deadLetters(meters, header(headers, DeadLetters.BY), header(headers, DeadLetters.TOPIC))
                            .increment());
        }
    }

    private static Counter deadLetters(MeterRegistry meters, String component, String topic) {
        return Counter.builder("parley.dead.letters")
                .description("Records that could not be read or processed")
                .tag("component", component)
                .tag("topic", topic)
                .register(meters);
    }

    private static String header(Headers headers, String name) {
        return Objects.requireNonNullElse(RecordSerde.header(headers, name), "");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void start() {
        RecordSignatures signatures = clients.signatures();
        if (signatures != null) {
            signatures.onRefused(this::report);
        }
    }

    private synchronized void report(RecordSignatures.Refused refused) {
        if (closed
                || !refused.grouped()
                        && !responsibleFor.contains(refused.record().topic())) {
            return;
        }
        try {
            Producer<byte[], byte[]> opened = producer == null ? clients.producer(NAME, SETTINGS) : producer;
            producer = opened;
            var _ = opened.send(DeadLetters.of(refused.record(), NAME, refused.cause()));
        } catch (KafkaException e) {
            LOG.atDebug().setCause(e).log("a refused record could not be dead-lettered");
        }
    }

    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (producer != null) {
            producer.close();
        }
    }
}

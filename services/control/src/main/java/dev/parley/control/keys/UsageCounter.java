package dev.parley.control.keys;

import dev.parley.control.keys.UsageRows.Offset;
import dev.parley.domain.access.KeyUsed;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.ConsumerThread;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.SchemaLookupException;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the requests of each API key exactly once: counts and consumer offsets commit in one transaction. */
public final class UsageCounter implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(UsageCounter.class);
    private static final String GROUP = "parley-key-usage";
    private static final Duration POLL_TIMEOUT = Duration.ofSeconds(1);
    private static final Map<String, Object> FOLLOWING =
            Map.of(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, KafkaClients.FOLLOWING_WAIT_MILLIS);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);

    private final Database database;
    private final UsageRows rows;
    private final KafkaClients clients;
    private final ConsumerThread thread = new ConsumerThread();
    private boolean failing;

    private record Uses(UUID host, int count, Instant last) {
        Uses and(Uses other) {
            return new Uses(host, count + other.count, last.isAfter(other.last) ? last : other.last);
        }
    }

    /** Another instance owns the partition now, and has counted these records. */
    private static final class PartitionLostException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        PartitionLostException(TopicPartition partition) {
            super("another instance has already counted " + partition);
        }
    }

    public UsageCounter(Database database, UsageRows rows, KafkaClients clients) {
        this.database = database;
        this.rows = rows;
        this.clients = clients;
    }

    @Override
    public String name() {
        return "usage counter";
    }

    @Override
    public void start() {
        thread.start(
                "usage-counter",
                clients.consumer("usage-counter", GROUP, FOLLOWING),
                this::run,
                e -> LOG.atError().setCause(e).log("key usage counter stopped"));
    }

    private void run(Consumer<byte[], byte[]> counting) {
        counting.subscribe(List.of(Topics.KEY_USAGE.name()), new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                seekToStored(counting, partitions);
            }

            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                // counted requests are in the database
            }
        });
        while (!thread.isStopped()) {
            countNext(counting);
        }
    }

    private void countNext(Consumer<byte[], byte[]> counting) {
        try {
            if (failing) {
                seekToStored(counting, counting.assignment());
            }
            count(counting.poll(POLL_TIMEOUT));
            failing = false;
        } catch (IllegalStateException | SchemaLookupException e) {
            if (!failing) {
                LOG.atWarn().setCause(e).log("key usage counter failed; retrying");
            }
            failing = true;
            LockSupport.parkNanos(RETRY_DELAY.toNanos());
        }
    }

    /** Seeks to the stored offsets. */
    private void seekToStored(Consumer<?, ?> counting, Collection<TopicPartition> partitions) {
        Map<Integer, Long> next = database.in(Tenant.NONE, rows::findAll).stream()
                .collect(Collectors.toMap(Offset::partitionId, Offset::nextOffset));
        for (TopicPartition partition : partitions) {
            Long offset = next.get(partition.partition());
            if (offset == null) {
                counting.seekToBeginning(List.of(partition));
            } else {
                counting.seek(partition, offset);
            }
        }
    }

    private void count(ConsumerRecords<byte[], byte[]> records) {
        if (records.isEmpty()) {
            return;
        }
        Map<UUID, Uses> uses = new TreeMap<>();
        records.forEach(record ->
                read(record).ifPresent(used -> uses.merge(used.id(), new Uses(used.host(), 1, used.at()), Uses::and)));
        database.in(Tenant.ALL, () -> {
            uses.forEach((id, keyUses) -> rows.count(keyUses.host(), id, keyUses.count(), keyUses.last()));
            records.partitions().forEach(partition -> advance(partition, records));
        });
    }

    /** Rolls back the batch where another instance has counted further. */
    private void advance(TopicPartition partition, ConsumerRecords<byte[], byte[]> records) {
        var partitionRecords = records.records(partition);
        long first = partitionRecords.getFirst().offset();
        long next = partitionRecords.getLast().offset() + 1;
        if (rows.advance(partition.partition(), next, first) == 0) {
            throw new PartitionLostException(partition);
        }
    }

    private static Optional<KeyUsed> read(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Optional.of(RecordCodec.read(Topics.KEY_USAGE, record));
        } catch (SerializationException e) {
            LOG.atWarn().setCause(e).log("unreadable key usage skipped");
            return Optional.empty();
        }
    }

    /** A failing counter does not affect readiness. */
    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public void close() {
        thread.close(ConsumerThread.CLOSE_TIMEOUT);
    }
}

package dev.parley.control.keys;

import dev.parley.domain.access.KeyUsed;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.kafka.Wire;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the requests that were made with each key: each one once, since how far it is stands in the same transaction. */
public final class UsageCounter implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(UsageCounter.class);
    private static final String GROUP = "parley-key-usage";
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration REST = Duration.ofSeconds(2);
    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final Database database;
    private final KafkaClients clients;
    private volatile boolean stopped;
    private volatile @Nullable String problem;
    private @Nullable Consumer<byte[], byte[]> consumer;
    private @Nullable Thread thread;

    private record Uses(UUID host, int count, Instant last) {
        Uses and(Uses other) {
            return new Uses(host, count + other.count, last.isAfter(other.last) ? last : other.last);
        }
    }

    /** Another instance has the partition by now, and has counted this. */
    private static final class ElsewhereException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        ElsewhereException(TopicPartition partition) {
            super("another instance counts " + partition);
        }
    }

    public UsageCounter(Database database, KafkaClients clients) {
        this.database = database;
        this.clients = clients;
    }

    @Override
    public String name() {
        return "usage counter";
    }

    @Override
    public void start() {
        Consumer<byte[], byte[]> counting = clients.consumer("usage-counter", GROUP, Map.of());
        consumer = counting;
        thread = Thread.ofPlatform().name("usage-counter").daemon().start(() -> run(counting));
    }

    private void run(Consumer<byte[], byte[]> counting) {
        try (counting) {
            counting.subscribe(List.of(Topics.KEY_USAGE.name()), new ConsumerRebalanceListener() {
                @Override
                public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                    goBack(counting, partitions);
                }

                @Override
                public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                    // what is counted stands in the database
                }
            });
            boolean behind = false;
            while (!stopped) {
                try {
                    if (behind) {
                        goBack(counting, counting.assignment());
                        behind = false;
                    }
                    count(counting.poll(POLL));
                    problem = null;
                } catch (IllegalStateException e) {
                    behind = true;
                    if (problem == null) {
                        LOG.atWarn().setCause(e).log("uses of keys are not counted now; it is tried again");
                    }
                    problem = "uses of keys are not counted: " + e.getMessage();
                    TimeUnit.MILLISECONDS.sleep(REST.toMillis());
                }
            }
        } catch (WakeupException e) {
            // close() asked for it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            problem = "uses of keys are not counted any more: " + e.getMessage();
            LOG.atError().setCause(e).log("uses of keys are not counted any more");
        }
    }

    /** To where counting ended. */
    private void goBack(Consumer<?, ?> counting, Collection<TopicPartition> partitions) {
        Map<Integer, Long> next = database.in(
                Tenant.NONE,
                transaction ->
                        transaction.query("SELECT partition_id, next_offset FROM control.usage_offset_t", row -> {
                            var found = new HashMap<Integer, Long>();
                            while (row.next()) {
                                found.put(row.getInt(1), row.getLong(2));
                            }
                            return found;
                        }));
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
        database.in(Tenant.ALL, transaction -> {
            uses.forEach((id, one) -> transaction.update("""
                    UPDATE control.api_key_t SET usage_count = usage_count + ?, last_used_ts = greatest(last_used_ts, ?)
                    WHERE host_id = ? AND api_key_id = ?
                    """, one.count(), one.last(), one.host(), id));
            records.partitions().forEach(partition -> advance(transaction, partition, records));
            return null;
        });
    }

    /** Where somebody else has counted further, all of this is taken back. */
    private static void advance(
            Transaction transaction, TopicPartition partition, ConsumerRecords<byte[], byte[]> records) {
        var own = records.records(partition);
        long first = own.getFirst().offset();
        int changed =
                transaction.update("""
                INSERT INTO control.usage_offset_t AS o (partition_id, next_offset) VALUES (?, ?)
                ON CONFLICT (partition_id) DO UPDATE SET next_offset = excluded.next_offset WHERE o.next_offset <= ?
                """, partition.partition(), own.getLast().offset() + 1, first);
        if (changed == 0) {
            throw new ElsewhereException(partition);
        }
    }

    private static Optional<KeyUsed> read(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Optional.of(Wire.read(Topics.KEY_USAGE, record));
        } catch (SerializationException e) {
            LOG.atWarn().setCause(e).log("an unreadable use of a key is passed over");
            return Optional.empty();
        }
    }

    /** Whoever asks the API does not have to wait for counts. */
    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public void close() {
        stopped = true;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            if (thread != null) {
                thread.join(CLOSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

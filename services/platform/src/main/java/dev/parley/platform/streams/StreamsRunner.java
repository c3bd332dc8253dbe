package dev.parley.platform.streams;

import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordSignatures;
import dev.parley.platform.service.Service;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one topology with exactly-once processing. */
public final class StreamsRunner implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(StreamsRunner.class);
    private static final Duration STOP = Duration.ofSeconds(10);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final int MAX_REQUEST = 10 << 20;

    /** Latency of processing against its cost; figures are in docs/performance.md. */
    public enum Pace {
        /** Callers wait: steps request their commit, see {@link dev.parley.platform.dispatch.TaskDispatch}. */
        CONVERSATION(Duration.ofSeconds(1), Duration.ofMillis(20), Duration.ofSeconds(4)),
        /** As {@link #CONVERSATION}, with steps that may take longer, for example to load a bank. */
        KNOWLEDGE(Duration.ofSeconds(1), Duration.ofMillis(20), Duration.ofSeconds(10)),
        /** No caller waits: many records share a transaction. */
        BACKGROUND(Duration.ofMillis(500), Duration.ofMillis(100), Duration.ofSeconds(4));

        /** Longest time that a step waits for others to share its transaction. */
        private final Duration commit;

        private final Duration poll;

        /** Transaction timeout, at most 10 s: others may wait so long for the transaction of a killed process. */
        private final Duration transaction;

        Pace(Duration commit, Duration poll, Duration transaction) {
            this.commit = commit;
            this.poll = poll;
            this.transaction = transaction;
        }
    }

    private final String name;
    private final String instance;
    private final Topology topology;
    private final Properties settings;
    private final Pace pace;
    private final int threads;
    private final AbandonedTransactions transactions;
    private final TopologyMembers members;
    private final @Nullable RecordSignatures signatures;
    private volatile @Nullable KafkaStreams streams;

    /**
     * @param name the application id, prefix of its changelogs
     * @param members the instances that run the topology
     * @param instance name of this process; the same name after a restart gets its partitions back at once
     * @param state folder of the local stores
     * @param threads number of stream threads
     */
    public StreamsRunner(
            String name,
            Topology topology,
            KafkaClients clients,
            TopologyMembers members,
            String instance,
            Path state,
            int replicas,
            int threads,
            Pace pace) {
        this.members = members;
        this.name = name;
        this.instance = instance;
        this.topology = topology;
        this.pace = pace;
        this.threads = threads;
        this.transactions = new AbandonedTransactions(name, instance);
        this.signatures = clients.signatures();
        this.settings = settings(clients, instance, state, replicas, threads, pace);
    }

    private Properties settings(
            KafkaClients clients, String instance, Path state, int replicas, int threads, Pace pace) {
        var p = new Properties();
        p.putAll(clients.common(name));
        p.put(StreamsConfig.APPLICATION_ID_CONFIG, name);
        p.put(StreamsConfig.APPLICATION_SERVER_CONFIG, members.incarnation());
        p.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        p.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        p.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, threads);
        p.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, replicas);
        p.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, replicas > 1 ? 1 : 0);
        p.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, pace.commit.toMillis());
        p.put(StreamsConfig.POLL_MS_CONFIG, pace.poll.toMillis());
        p.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        p.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
        p.put(StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG), MAX_REQUEST);
        p.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), instance);
        p.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
        p.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1_000);
        p.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        p.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG), MAX_REQUEST);
        p.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), MAX_REQUEST);
        p.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "none");
        p.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), 5);
        p.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), (int)
                pace.transaction.toMillis());
        return p;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void start() {
        var kafka = new Clients();
        var started = new KafkaStreams(topology, settings, kafka);
        started.setUncaughtExceptionHandler(failure -> {
            LOG.atError().setCause(failure).addKeyValue("topology", name).log("a stream thread failed and is replaced");
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        });
        started.setStateListener((now, before) -> {
            if (now == KafkaStreams.State.REBALANCING) {
                Thread.ofVirtual().name(name + "-transactions").start(() -> endAbandoned(started, kafka.admin()));
            }
        });
        transactions.endOwn(kafka.admin(), threads);
        started.start();
        streams = started;
        members.follow(started);
    }

    /** Ends transactions of killed instances while a rebalance lasts, since it waits for them. */
    private void endAbandoned(KafkaStreams running, Admin admin) {
        while (running.state() == KafkaStreams.State.REBALANCING) {
            transactions.endOthers(admin);
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }

    @Override
    public Optional<String> problem() {
        KafkaStreams running = streams;
        if (running == null) {
            return Optional.of("not started");
        }
        KafkaStreams.State state = running.state();
        return state.isRunningOrRebalancing() ? Optional.empty() : Optional.of("is " + state);
    }

    /** While partitions move, acknowledged commands wait in Kafka. */
    @Override
    public Optional<String> moving() {
        KafkaStreams running = streams;
        boolean isMoving = running != null
                && running.state() == KafkaStreams.State.REBALANCING
                && pace != Pace.BACKGROUND; // no caller waits for it
        return isMoving
                ? Optional.of("partitions are handed over or restored; what comes for them waits")
                : Optional.empty();
    }

    /** Name of this process in the metadata of the topology. */
    public String instance() {
        return instance;
    }

    /** The running topology, for queries of its stores. */
    public Optional<KafkaStreams> streams() {
        return Optional.ofNullable(streams);
    }

    /** Stays a member of the group: the same instance restarts within seconds and keeps its partitions. */
    @Override
    public void close() {
        KafkaStreams running = streams;
        if (running != null
                && !running.close(
                        CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP)
                                .withTimeout(STOP))) {
            LOG.atWarn().addKeyValue("topology", name).log("did not stop in time");
        }
    }

    private final class Clients extends DefaultKafkaClientSupplier {
        private @Nullable Admin admin;

        @Override
        public Admin getAdmin(Map<String, Object> config) {
            Admin created = super.getAdmin(config);
            admin = created;
            return created;
        }

        /** The admin client of the topology, which closes it. */
        Admin admin() {
            return Objects.requireNonNull(admin, "Kafka Streams makes it before it starts");
        }

        @Override
        public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
            return new WakeableConsumer(config, signatures);
        }

        /** The transactional id has the names of instance and thread, so that it is the same after a restart. */
        @Override
        public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
            String chosen = String.valueOf(config.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG));
            int thread = Integer.parseInt(chosen.substring(chosen.lastIndexOf('-') + 1));
            config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactions.transactionalId(thread));
            return new CommitNotifyingProducer(config, signatures);
        }
    }
}

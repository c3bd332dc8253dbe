package dev.parley.channels.bots;

import dev.parley.channels.contract.Channel;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Rights;
import dev.parley.channels.deltas.DeltaListener;
import dev.parley.channels.plugin.ChannelKinds;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.database.Sql;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import dev.parley.platform.trace.Tracing;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns bots. All instances share the partitions of {@code replies}; whoever has a bot's partition is the one that takes its
 * messages in and sends its replies. A reply's position is committed when it was delivered, so the next owner goes on with
 * those that were not.
 *
 * <p>It is long because bots, outboxes and positions come and go together, in one thread, with the partitions.
 */
final class BotAssignments implements Service, DeltaListener {
    private static final Logger LOG = LoggerFactory.getLogger(BotAssignments.class);
    private static final String GROUP = "bots";
    private static final int MOST = 2_000;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration COMMIT = Duration.ofMillis(500);
    private static final Duration TELL = Duration.ofSeconds(1);
    private static final Duration RESTART = Duration.ofSeconds(1);
    private static final Duration KEPT = Duration.ofDays(14);
    private static final Duration PURGE = Duration.ofHours(1);
    private static final Map<String, Object> CONSUMER = Map.of(
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            CooperativeStickyAssignor.class.getName(),
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            200);

    private final KafkaClients clients;
    private final BotRegistry known;
    private final ChannelKinds channels;
    private final Intake intake;
    private final Rights rights;
    private final UUID host;
    private final DeliveryLedger ledger;
    private final ReplyFiles files;
    private final Chats chats;
    private final ReplySender sender;
    private final OpenTurns openTurns;
    private final BotStates states;
    private final MeterRegistry registry;
    private final Tracing tracing;
    private final Map<String, RunningBot> running = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Progress> progress = new HashMap<>();
    /** Read, and still without an outbox: the database did not say which. */
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    /** Of these, what an outbox has and has not settled. */
    private final Set<Waiting> handedOut = ConcurrentHashMap.newKeySet();

    private volatile boolean stopping;
    private volatile String problem = "";
    private volatile boolean changed;
    private volatile @Nullable Consumer<byte[], byte[]> polling;
    private @Nullable Thread thread;
    /** What is wrong with each bot here as far as the others know; empty where nothing is. */
    private final Map<String, String> told = new HashMap<>();

    private long lastTold = System.nanoTime();
    private long lastCommit = System.nanoTime();
    private Map<TopicPartition, OffsetAndMetadata> committed = Map.of();
    private long lastPurge = System.nanoTime();

    /** A reply that has no outbox yet; {@code trace} is that of its turn, where it has one. */
    private record Waiting(
            Reply reply,
            TopicPartition partition,
            Progress of,
            long offset,
            Instant since,
            @Nullable String trace) {}

    BotAssignments(
            KafkaClients clients,
            BotRegistry known,
            ChannelKinds channels,
            Intake intake,
            Rights rights,
            UUID host,
            DeliveryLedger ledger,
            ReplyFiles files,
            Chats chats,
            ReplySender sender,
            OpenTurns openTurns,
            BotStates states,
            MeterRegistry registry,
            Tracing tracing) {
        this.tracing = tracing;
        this.clients = clients;
        this.known = known;
        this.channels = channels;
        this.intake = intake;
        this.rights = rights;
        this.host = host;
        this.ledger = ledger;
        this.files = files;
        this.chats = chats;
        this.sender = sender;
        this.openTurns = openTurns;
        this.states = states;
        this.registry = registry;
        Gauge.builder("parley_channel_bots", () -> known.all().size()).register(registry);
    }

    @Override
    public String name() {
        return "bots";
    }

    @Override
    public void start() {
        if (!known.all().isEmpty()) {
            problem = "has not joined its group yet";
        }
        known.whenChanged(this::change);
        begin();
    }

    /** Bots were made, changed or removed: the thread that owns them looks. */
    private void change() {
        changed = true;
        begin();
    }

    /** Where there is no bot it joins no group. */
    private synchronized void begin() {
        if (thread == null && !stopping && !known.all().isEmpty()) {
            thread = Thread.ofPlatform().name("bots").daemon().start(this::run);
        }
    }

    @Override
    public Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    /** The names of the bots that are owned here. */
    Collection<String> owned() {
        return new TreeSet<>(running.keySet());
    }

    @Override
    public boolean wants(String session) {
        return running.containsKey(botOf(session));
    }

    @Override
    public void hear(RecordKey key, TurnDelta delta) {
        RunningBot bot = running.get(botOf(key.session()));
        if (bot != null) {
            bot.hear(key, delta);
        }
    }

    private static String botOf(String session) {
        int colon = session.indexOf(':');
        return colon < 0 ? session : session.substring(0, colon);
    }

    private void run() {
        while (!stopping) {
            try (Consumer<byte[], byte[]> consumer = clients.consumer(GROUP, GROUP, CONSUMER)) {
                polling = consumer;
                run(consumer);
            } catch (WakeupException e) {
                // close() asked for it
            } catch (RuntimeException e) {
                problem = "restarts after " + e;
                LOG.atError().setCause(e).log("bot consumer failed; restarting");
                rest();
            } finally {
                polling = null;
                closeBots(List.copyOf(running.keySet()));
                progress.clear();
                committed = Map.of();
                waiting.clear();
                handedOut.clear();
            }
        }
    }

    private void run(Consumer<byte[], byte[]> consumer) {
        consumer.subscribe(List.of(Topics.REPLIES.name()), new Rebalance(consumer));
        while (!stopping) {
            consumer.poll(POLL).forEach(this::accept);
            if (changed) {
                reconcile(consumer);
            }
            handOut(consumer);
            tellStates();
            pauseWhenFull(consumer);
            commitWhenDue(consumer);
            purgeWhenDue();
        }
        commit(consumer);
    }

    private static void rest() {
        try {
            Thread.sleep(RESTART);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept(ConsumerRecord<byte[], byte[]> record) {
        var partition = new TopicPartition(record.topic(), record.partition());
        Progress of = progress.computeIfAbsent(partition, _ -> new Progress());
        of.read(record.offset());
        try {
            Reply reply = RecordCodec.read(Topics.REPLIES, record);
            waiting.add(new Waiting(
                    reply, partition, of, record.offset(), Instant.now(), RecordCodec.trace(record.headers())));
        } catch (RuntimeException e) {
            bury(record, e);
            of.done(record.offset());
        }
    }

    /** Ends the loop where the record is not safe: it is read again. */
    private void bury(ConsumerRecord<byte[], byte[]> record, RuntimeException why) {
        LOG.atError()
                .addKeyValue("partition", record.partition())
                .addKeyValue("offset", record.offset())
                .addKeyValue("why", why.toString())
                .log("a reply cannot be read and goes to dead-letters");
        registry.counter("parley_channel_failed", "bot", "unknown").increment();
        try {
            sender.bury(record, why);
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("a reply that cannot be read has no place among the dead letters", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
    }

    /**
     * Opens bots that are new here, and closes those that are gone; one that has changed is opened anew, and has what the one before had
     * not delivered.
     */
    private void reconcile(Consumer<byte[], byte[]> consumer) {
        changed = false;
        List<String> others = running.entrySet().stream()
                .filter(one -> !known.find(one.getKey())
                        .equals(Optional.of(one.getValue().config())))
                .map(Map.Entry::getKey)
                .toList();
        closeBots(others);
        List<Waiting> again = handedOut.stream()
                .filter(one -> others.contains(one.reply().to().bot()))
                .sorted(Comparator.comparingLong(Waiting::offset).reversed())
                .toList();
        again.forEach(one -> {
            handedOut.remove(one);
            waiting.addFirst(one);
        });
        openThoseOf(consumer, consumer.assignment());
    }

    private void openThoseOf(Consumer<byte[], byte[]> consumer, Collection<TopicPartition> partitions) {
        int count = KafkaClients.partitions(consumer, Topics.REPLIES).size();
        Set<Integer> owned = partitions.stream().map(TopicPartition::partition).collect(Collectors.toSet());
        known.all().stream()
                .filter(bot -> owned.contains(partitionOf(bot.name(), count)))
                .forEach(this::tryOpen);
    }

    /** What a project has set keeps no bot of others up. */
    private void tryOpen(BotConfig bot) {
        try {
            open(bot);
        } catch (RuntimeException e) {
            if (bot.isOperators()) {
                throw e;
            }
            LOG.atError().addKeyValue("bot", bot.name()).setCause(e).log("a bot of a project cannot be started");
        }
    }

    /** The one whose reply has come: perhaps another instance made it a moment ago. */
    private @Nullable RunningBot bot(Consumer<byte[], byte[]> consumer, String name) {
        if (!running.containsKey(name)) {
            known.refresh();
            reconcile(consumer);
        }
        return running.get(name);
    }

    /** In their order; what cannot be handed out now is, when the database is back. */
    private void handOut(Consumer<byte[], byte[]> consumer) {
        while (!waiting.isEmpty()) {
            Waiting next = waiting.peek();
            String name = next.reply().to().bot();
            try {
                RunningBot bot = bot(consumer, name);
                if (waiting.peek() != next) {
                    continue; // older ones of another bot have their turn again
                }
                if (bot == null) {
                    LOG.atWarn().addKeyValue("bot", name).log("a reply is for a bot that is not there");
                    registry.counter("parley_channel_failed", "bot", "unknown").increment();
                    next.of().done(next.offset());
                } else {
                    handedOut.add(next);
                    bot.deliver(next.reply(), () -> delivered(next));
                }
                waiting.remove();
            } catch (Sql.FailedException e) {
                handedOut.remove(next);
                LOG.atWarn()
                        .addKeyValue("bot", name)
                        .addKeyValue("why", e.getMessage())
                        .log("replies are delayed; retrying");
                return;
            }
        }
    }

    private void delivered(Waiting reply) {
        handedOut.remove(reply);
        reply.of().done(reply.offset());
        if (reply.trace() != null) {
            Reply what = reply.reply();
            var about = Map.of(
                    "session.key", what.key().toString(),
                    "turn.id", what.turnId().toString(),
                    "bot", what.to().bot(),
                    "reply.kind", what.kind().name().toLowerCase(Locale.ROOT));
            tracing.record("delivery", reply.trace(), reply.since(), about, null);
        }
    }

    /** Tells all instances what has changed about the bots here. */
    private void tellStates() {
        if (System.nanoTime() - lastTold < TELL.toNanos()) {
            return;
        }
        lastTold = System.nanoTime();
        told.keySet().retainAll(running.keySet());
        try {
            for (var bot : running.entrySet()) {
                String name = bot.getKey();
                String wrong = bot.getValue().problem().orElse("");
                if (!told.containsKey(name)) {
                    states.owned(name);
                    told.put(name, "");
                }
                if (!wrong.equals(told.get(name))) {
                    states.problem(name, wrong.isEmpty() ? null : wrong);
                    told.put(name, wrong);
                }
            }
        } catch (Sql.FailedException e) {
            LOG.atWarn().addKeyValue("why", e.getMessage()).log("bot states could not be published");
        }
    }

    private void pauseWhenFull(Consumer<byte[], byte[]> consumer) {
        var full = consumer.assignment().stream()
                .filter(partition -> !waiting.isEmpty()
                        || progress.getOrDefault(partition, new Progress()).open() >= MOST)
                .toList();
        consumer.resume(consumer.paused());
        consumer.pause(full);
    }

    private void commitWhenDue(Consumer<byte[], byte[]> consumer) {
        if (System.nanoTime() - lastCommit >= COMMIT.toNanos()) {
            lastCommit = System.nanoTime();
            Map<TopicPartition, OffsetAndMetadata> positions = positions(progress.keySet());
            if (!positions.equals(committed)) {
                committed = positions;
                consumer.commitAsync(positions, (_, e) -> {
                    if (e != null) {
                        committed = Map.of(); // again next time
                    }
                });
            }
        }
    }

    private void commit(Consumer<byte[], byte[]> consumer) {
        var positions = positions(progress.keySet());
        if (!positions.isEmpty()) {
            consumer.commitSync(positions, Duration.ofSeconds(5));
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> positions(Collection<TopicPartition> of) {
        var positions = new HashMap<TopicPartition, OffsetAndMetadata>();
        for (TopicPartition partition : of) {
            Progress at = progress.get(partition);
            if (at != null && at.position() >= 0) {
                positions.put(partition, new OffsetAndMetadata(at.position()));
            }
        }
        return positions;
    }

    private void purgeWhenDue() {
        if (System.nanoTime() - lastPurge >= PURGE.toNanos()) {
            lastPurge = System.nanoTime();
            Thread.ofVirtual().start(() -> {
                try {
                    while (ledger.purge(KEPT) > 0) {
                        // so many at a time
                    }
                } catch (Sql.FailedException e) {
                    LOG.atWarn().addKeyValue("why", e.getMessage()).log("delivery ledger could not be purged");
                }
            });
        }
    }

    /** Bots come and go with their partition. */
    private final class Rebalance implements ConsumerRebalanceListener {
        private final Consumer<byte[], byte[]> consumer;

        Rebalance(Consumer<byte[], byte[]> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            problem = "";
            openThoseOf(consumer, partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            closeBotsOf(partitions);
            forget(partitions); // they are read again by whoever has them
            var positions = positions(partitions);
            if (!positions.isEmpty()) {
                consumer.commitSync(positions, Duration.ofSeconds(5));
            }
            progress.keySet().removeAll(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            closeBotsOf(partitions);
            forget(partitions);
            progress.keySet().removeAll(partitions);
        }

        private void forget(Collection<TopicPartition> partitions) {
            waiting.removeIf(one -> partitions.contains(one.partition()));
            handedOut.removeIf(one -> partitions.contains(one.partition()));
        }

        private void closeBotsOf(Collection<TopicPartition> partitions) {
            int count = KafkaClients.partitions(consumer, Topics.REPLIES).size();
            var gone = partitions.stream().map(TopicPartition::partition).toList();
            closeBots(running.keySet().stream()
                    .filter(bot -> gone.contains(partitionOf(bot, count)))
                    .toList());
        }
    }

    private static int partitionOf(String bot, int partitions) {
        return BuiltInPartitioner.partitionForKey(bot.getBytes(StandardCharsets.UTF_8), partitions);
    }

    private void open(BotConfig bot) {
        @Nullable Channel channel = channels.of(bot).orElse(null);
        if (channel != null && !running.containsKey(bot.name())) {
            LOG.atInfo().addKeyValue("bot", bot.name()).log("bot is owned by this instance");
            var meters = new BotMeters(registry, bot.name());
            running.put(
                    bot.name(),
                    new RunningBot(bot, channel, intake, rights, host, ledger, files, chats, openTurns, meters));
        }
    }

    private void closeBots(Collection<String> names) {
        for (String name : names) {
            RunningBot bot = running.remove(name);
            if (bot != null) {
                bot.close();
                LOG.atInfo().addKeyValue("bot", name).log("bot is not run here any more");
            }
        }
    }

    @Override
    public void close() {
        stopping = true;
        problem = "stopped";
        try {
            if (thread != null && !thread.join(Duration.ofSeconds(15))) {
                Consumer<byte[], byte[]> consumer = polling;
                if (consumer != null) {
                    consumer.wakeup();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What was read of a partition, and what of that is done. */
    private static final class Progress {
        private final TreeSet<Long> open = new TreeSet<>();
        private long next = -1;

        synchronized void read(long offset) {
            open.add(offset);
            next = offset + 1;
        }

        synchronized void done(long offset) {
            open.remove(offset);
        }

        synchronized int open() {
            return open.size();
        }

        /** Before which everything is done, or -1 before the first record. */
        synchronized long position() {
            return open.isEmpty() ? next : open.first();
        }
    }
}

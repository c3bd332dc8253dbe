package dev.parley.channels.bots;

import dev.parley.channels.bots.delivery.BotMeters;
import dev.parley.channels.bots.delivery.DeliveryLedger;
import dev.parley.channels.bots.delivery.OpenTurns;
import dev.parley.channels.bots.delivery.ReplyFiles;
import dev.parley.channels.bots.delivery.RunningBot;
import dev.parley.channels.bots.people.Chats;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Rights;
import dev.parley.channels.deltas.DeltaListener;
import dev.parley.channels.plugin.ChannelKinds;
import dev.parley.channels.plugin.PluginChannel;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.database.Sql;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.SchemaLookupException;
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
import org.apache.kafka.clients.consumer.ConsumerRecords;
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
 * Assignment of bots to instances. All instances share the partitions of {@code replies} as one consumer group; the
 * owner of a bot's partition runs the bot: it receives its messages and delivers its replies. The offset of a reply is
 * committed once it was delivered, so the next owner resumes with those that were not.
 */
final class BotAssignments implements Service, DeltaListener {
    private static final Logger LOG = LoggerFactory.getLogger(BotAssignments.class);
    private static final String GROUP = "bots";
    private static final int MAX_OPEN = 2_000;
    /** While replies are delivered. */
    private static final Duration POLL_TIMEOUT = Duration.ofMillis(100);

    private static final Duration IDLE_POLL_TIMEOUT = Duration.ofMillis(250);
    private static final Duration COMMIT_INTERVAL = Duration.ofMillis(500);
    private static final Duration PUBLISH_INTERVAL = Duration.ofSeconds(1);
    private static final Duration RESTART_DELAY = Duration.ofSeconds(1);
    private static final Duration RETENTION = Duration.ofDays(14);
    private static final Duration PURGE_INTERVAL = Duration.ofHours(1);
    private static final Map<String, Object> CONSUMER = Map.of(
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            CooperativeStickyAssignor.class.getName(),
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            200,
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            KafkaClients.FOLLOWING_WAIT_MILLIS);

    private final KafkaClients clients;
    private final BotRegistry bots;
    private final ChannelKinds channels;
    private final Intake intake;
    private final Rights rights;
    private final UUID host;
    private final DeliveryLedger ledger;
    private final ReplyFiles files;
    private final Chats chats;
    private final ReplySender sender;
    private final DueReminders reminders;
    private final OpenTurns openTurns;
    private final BotStates states;
    private final MeterRegistry registry;
    private final Tracing tracing;
    private final Map<String, RunningBot> running = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Progress> progress = new HashMap<>();
    /** Replies without an outbox yet, because the database did not answer. */
    private final Deque<PendingReply> pending = new ArrayDeque<>();

    /** Replies that an outbox has and has not completed. */
    private final Set<PendingReply> dispatched = ConcurrentHashMap.newKeySet();

    private volatile boolean stopping;
    private volatile String problem = "";
    private volatile boolean changed;
    private volatile @Nullable Consumer<byte[], byte[]> polling;
    private @Nullable Thread thread;
    /** The published problem of each bot that runs here; empty where it has none. */
    private final Map<String, String> published = new HashMap<>();

    private long lastPublished = System.nanoTime();
    private long lastCommit = System.nanoTime();
    private Map<TopicPartition, OffsetAndMetadata> committed = Map.of();
    private long lastPurge = System.nanoTime();

    /** A reply that is not delivered; {@code trace} is that of its turn, or null. */
    private record PendingReply(
            Reply reply,
            TopicPartition partition,
            Progress progress,
            long offset,
            Instant receivedAt,
            @Nullable String trace) {}

    BotAssignments(
            KafkaClients clients,
            BotRegistry bots,
            ChannelKinds channels,
            Intake intake,
            Rights rights,
            UUID host,
            DeliveryLedger ledger,
            ReplyFiles files,
            Chats chats,
            ReplySender sender,
            DueReminders reminders,
            OpenTurns openTurns,
            BotStates states,
            MeterRegistry registry,
            Tracing tracing) {
        this.tracing = tracing;
        this.clients = clients;
        this.bots = bots;
        this.channels = channels;
        this.intake = intake;
        this.rights = rights;
        this.host = host;
        this.ledger = ledger;
        this.files = files;
        this.chats = chats;
        this.sender = sender;
        this.reminders = reminders;
        this.openTurns = openTurns;
        this.states = states;
        this.registry = registry;
        Gauge.builder("parley_channel_bots", () -> bots.all().size()).register(registry);
    }

    @Override
    public String name() {
        return "bots";
    }

    @Override
    public void start() {
        if (!bots.all().isEmpty()) {
            problem = "has not joined its group yet";
        }
        bots.whenChanged(this::change);
        begin();
    }

    /** The set of bots changed: the owning thread reconciles. */
    private void change() {
        changed = true;
        begin();
    }

    /** Joins the group once there is a bot. */
    private synchronized void begin() {
        if (thread == null && !stopping && !bots.all().isEmpty()) {
            thread = Thread.ofPlatform().name("bots").daemon().start(this::run);
        }
    }

    @Override
    public Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    @Override
    public boolean accepts(String session) {
        return running.containsKey(botOf(session));
    }

    @Override
    public void onDelta(RecordKey key, TurnDelta delta) {
        RunningBot bot = running.get(botOf(key.session()));
        if (bot != null) {
            bot.onDelta(key, delta);
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
                backOff();
            } finally {
                polling = null;
                closeBots(List.copyOf(running.keySet()));
                progress.clear();
                committed = Map.of();
                pending.clear();
                dispatched.clear();
            }
        }
    }

    private void run(Consumer<byte[], byte[]> consumer) {
        consumer.subscribe(List.of(Topics.REPLIES.name()), new Rebalance(consumer));
        while (!stopping) {
            boolean isIdle = pending.isEmpty() && dispatched.isEmpty() && !changed;
            ConsumerRecords<byte[], byte[]> records = consumer.poll(isIdle ? IDLE_POLL_TIMEOUT : POLL_TIMEOUT);
            for (TopicPartition partition : records.partitions()) {
                acceptAll(partition, records.records(partition), consumer);
            }
            if (changed) {
                reconcile(consumer);
            }
            dispatch(consumer);
            publishStates();
            pauseWhenFull(consumer);
            commitWhenDue(consumer);
            purgeWhenDue();
        }
        commit(consumer);
    }

    private static void backOff() {
        try {
            Thread.sleep(RESTART_DELAY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops at a reply that cannot be read now, which the next poll returns again. */
    private void acceptAll(
            TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> records, Consumer<byte[], byte[]> consumer) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            try {
                accept(partition, record);
            } catch (SchemaLookupException e) {
                LOG.atWarn()
                        .addKeyValue("partition", partition)
                        .setCause(e)
                        .log("a reply cannot be read now; retrying");
                consumer.seek(partition, record.offset());
                backOff();
                return;
            }
        }
    }

    private void accept(TopicPartition partition, ConsumerRecord<byte[], byte[]> record) {
        Progress offsets = progress.computeIfAbsent(partition, _ -> new Progress());
        offsets.read(record.offset());
        try {
            Reply reply = RecordCodec.read(Topics.REPLIES, record);
            pending.add(new PendingReply(
                    reply, partition, offsets, record.offset(), Instant.now(), RecordCodec.trace(record.headers())));
        } catch (SchemaLookupException e) {
            throw e;
        } catch (RuntimeException e) {
            deadLetter(record, e);
            offsets.complete(record.offset());
        }
    }

    /**
     * Throws, and so restarts the loop, where the record is not durable on the dead-letter topic: it is read again.
     */
    private void deadLetter(ConsumerRecord<byte[], byte[]> record, RuntimeException cause) {
        registry.counter("parley_channel_failed", "bot", "unknown").increment();
        try {
            sender.deadLetter(record, cause);
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("an unreadable reply could not be sent to dead-letters", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
    }

    /** Opens new bots, closes removed ones, and reopens changed ones with the replies that are still pending. */
    private void reconcile(Consumer<byte[], byte[]> consumer) {
        changed = false;
        List<String> outdated = running.entrySet().stream()
                .filter(entry -> !bots.find(entry.getKey())
                        .equals(Optional.of(entry.getValue().config())))
                .map(Map.Entry::getKey)
                .toList();
        closeBots(outdated);
        List<PendingReply> undelivered = dispatched.stream()
                .filter(pendingReply ->
                        outdated.contains(pendingReply.reply().to().bot()))
                .sorted(Comparator.comparingLong(PendingReply::offset).reversed())
                .toList();
        undelivered.forEach(reply -> {
            dispatched.remove(reply);
            pending.addFirst(reply);
        });
        openBotsOf(consumer, consumer.assignment());
    }

    private void openBotsOf(Consumer<byte[], byte[]> consumer, Collection<TopicPartition> partitions) {
        int count = KafkaClients.partitions(consumer, Topics.REPLIES).size();
        Set<Integer> owned = partitions.stream().map(TopicPartition::partition).collect(Collectors.toSet());
        bots.all().stream()
                .filter(bot -> owned.contains(partitionOf(bot.name(), count)))
                .forEach(this::tryOpen);
    }

    /** A faulty bot of a project must not stop the others. */
    private void tryOpen(BotConfig bot) {
        try {
            open(bot);
        } catch (RuntimeException e) {
            if (bot.isOperators()) {
                throw e;
            }
            LOG.atError().addKeyValue("bot", bot.name()).setCause(e).log("project bot could not be started");
        }
    }

    /** The bot of a reply, which another instance may have created a moment ago. */
    private @Nullable RunningBot bot(Consumer<byte[], byte[]> consumer, String name) {
        if (!running.containsKey(name)) {
            bots.refresh();
            reconcile(consumer);
        }
        return running.get(name);
    }

    /** Dispatches replies to outboxes in order; retried when the database answers again. */
    private void dispatch(Consumer<byte[], byte[]> consumer) {
        while (!pending.isEmpty()) {
            PendingReply next = pending.element();
            String name = next.reply().to().bot();
            try {
                RunningBot bot = bot(consumer, name);
                if (pending.peek() == next) { // otherwise older replies of another bot were queued before it
                    dispatch(next, bot);
                    pending.remove();
                }
            } catch (Sql.FailedException e) {
                dispatched.remove(next);
                LOG.atWarn()
                        .addKeyValue("bot", name)
                        .addKeyValue("reason", e.getMessage())
                        .log("replies are delayed; retrying");
                return;
            }
        }
    }

    private void dispatch(PendingReply next, @Nullable RunningBot bot) {
        if (next.reply().reminder() != null) {
            dispatched.add(next);
            Thread.ofVirtual().name("reminder").start(() -> remind(next));
        } else if (bot == null) {
            LOG.atWarn().addKeyValue("bot", next.reply().to().bot()).log("reply for an unknown bot dropped");
            registry.counter("parley_channel_failed", "bot", "unknown").increment();
            next.progress().complete(next.offset());
        } else {
            dispatched.add(next);
            bot.deliver(next.reply(), () -> onDelivered(next));
        }
    }

    /** Sends a reminder that is due; also after a restart, as its reply counts as delivered only then. */
    private void remind(PendingReply next) {
        while (!stopping && dispatched.contains(next)) {
            try {
                reminders.send(next.reply());
                onDelivered(next);
                return;
            } catch (UnavailableException | Sql.FailedException e) {
                LOG.atWarn()
                        .addKeyValue("bot", next.reply().to().bot())
                        .addKeyValue("reason", e.getMessage())
                        .log("a reminder is delayed; retrying");
                backOff();
            } catch (InterruptedException e) {
                return; // it is read again
            } catch (RuntimeException e) {
                registry.counter(
                                "parley_channel_failed",
                                "bot",
                                next.reply().to().bot())
                        .increment();
                LOG.atError()
                        .addKeyValue("bot", next.reply().to().bot())
                        .setCause(e)
                        .log("a reminder cannot be sent; it is skipped");
                onDelivered(next);
                return;
            }
        }
    }

    private void onDelivered(PendingReply reply) {
        dispatched.remove(reply);
        reply.progress().complete(reply.offset());
        if (reply.trace() != null) {
            Reply delivered = reply.reply();
            var attributes = Map.of(
                    "session.key", delivered.key().toString(),
                    "turn.id", delivered.turnId().toString(),
                    "bot", delivered.to().bot(),
                    "reply.kind", delivered.kind().name().toLowerCase(Locale.ROOT));
            tracing.record("delivery", reply.trace(), reply.receivedAt(), attributes, null);
        }
    }

    /** Publishes the changed states of the bots here to all instances. */
    private void publishStates() {
        if (System.nanoTime() - lastPublished < PUBLISH_INTERVAL.toNanos()) {
            return;
        }
        lastPublished = System.nanoTime();
        published.keySet().retainAll(running.keySet());
        try {
            running.forEach((name, bot) -> publishState(name, bot.problem().orElse("")));
        } catch (Sql.FailedException e) {
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("bot states could not be published");
        }
    }

    private void publishState(String name, String botProblem) {
        if (!published.containsKey(name)) {
            states.recordOwnership(name);
            published.put(name, "");
        }
        if (!botProblem.equals(published.get(name))) {
            states.problem(name, botProblem.isEmpty() ? null : botProblem);
            published.put(name, botProblem);
        }
    }

    private void pauseWhenFull(Consumer<byte[], byte[]> consumer) {
        var full = consumer.assignment().stream()
                .filter(partition -> !pending.isEmpty()
                        || progress.getOrDefault(partition, new Progress()).open() >= MAX_OPEN)
                .toList();
        consumer.resume(consumer.paused());
        consumer.pause(full);
    }

    private void commitWhenDue(Consumer<byte[], byte[]> consumer) {
        if (System.nanoTime() - lastCommit >= COMMIT_INTERVAL.toNanos()) {
            lastCommit = System.nanoTime();
            Map<TopicPartition, OffsetAndMetadata> positions = positions(progress.keySet());
            if (!positions.equals(committed)) {
                committed = positions;
                consumer.commitAsync(positions, (_, e) -> {
                    if (e != null) {
                        committed = Map.of(); // retried at the next commit
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

    private Map<TopicPartition, OffsetAndMetadata> positions(Collection<TopicPartition> partitions) {
        var positions = new HashMap<TopicPartition, OffsetAndMetadata>();
        for (TopicPartition partition : partitions) {
            Progress current = progress.get(partition);
            if (current != null && current.position() >= 0) {
                positions.put(partition, new OffsetAndMetadata(current.position()));
            }
        }
        return positions;
    }

    private void purgeWhenDue() {
        if (System.nanoTime() - lastPurge >= PURGE_INTERVAL.toNanos()) {
            lastPurge = System.nanoTime();
            Thread.ofVirtual().start(() -> {
                try {
                    while (ledger.purge(RETENTION) > 0) {
                        // in batches
                    }
                } catch (Sql.FailedException e) {
                    LOG.atWarn().addKeyValue("reason", e.getMessage()).log("delivery ledger could not be purged");
                }
            });
        }
    }

    /** Opens and closes bots with their partitions. */
    private final class Rebalance implements ConsumerRebalanceListener {
        private final Consumer<byte[], byte[]> consumer;

        Rebalance(Consumer<byte[], byte[]> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            problem = "";
            openBotsOf(consumer, partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            closeBotsOf(partitions);
            forget(partitions); // read again by the next owner
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
            pending.removeIf(reply -> partitions.contains(reply.partition()));
            dispatched.removeIf(reply -> partitions.contains(reply.partition()));
        }

        private void closeBotsOf(Collection<TopicPartition> partitions) {
            int count = KafkaClients.partitions(consumer, Topics.REPLIES).size();
            var revoked = partitions.stream().map(TopicPartition::partition).toList();
            closeBots(running.keySet().stream()
                    .filter(bot -> revoked.contains(partitionOf(bot, count)))
                    .toList());
        }
    }

    private static int partitionOf(String bot, int partitions) {
        return BuiltInPartitioner.partitionForKey(bot.getBytes(StandardCharsets.UTF_8), partitions);
    }

    private void open(BotConfig bot) {
        @Nullable PluginChannel channel = channels.of(bot).orElse(null);
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
                LOG.atInfo().addKeyValue("bot", name).log("bot closed");
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

    /** Offsets of a partition that were read, and those that are complete. */
    private static final class Progress {
        private final TreeSet<Long> open = new TreeSet<>();
        private long next = -1;

        synchronized void read(long offset) {
            open.add(offset);
            next = offset + 1;
        }

        synchronized void complete(long offset) {
            open.remove(offset);
        }

        synchronized int open() {
            return open.size();
        }

        /** The offset to commit: everything before it is complete; -1 before the first record. */
        synchronized long position() {
            return open.isEmpty() ? next : open.first();
        }
    }
}

package dev.parley.platform.worker;

import dev.parley.platform.dispatch.Answers;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.dispatch.LocalWorker;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.service.Service;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a request topic as one of a consumer group, and hands each request to a virtual thread.
 *
 * <ul>
 *   <li>The position that is committed is that of the lowest unfinished request; {@link PartitionProgress} remembers
 *       which ones after it are finished. A request is finished when the broker has acknowledged its result.
 *   <li>What is in flight is bounded, by count and by bytes, and a project has {@linkplain FairSlots some} of it: beyond that, requests wait,
 *       and where many do no more are fetched.
 *   <li>A request that is taken up after its lease is dropped: it has been asked again.
 *   <li>When a partition goes to another worker, the calls from it go on here and answer. The other one does not take
 *       them up: if this worker dies, their leases lapse and they are asked again.
 * </ul>
 *
 * <p>It is long because taking, finishing and committing are about the same requests in flight.
 */
public final class WorkerLoop<W> implements Service, LocalWorker<W> {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLoop.class);
    private static final Duration IDLE = Duration.ofMillis(100);
    private static final Duration BUSY = Duration.ofMillis(5);
    private static final Duration COMMIT = Duration.ofMillis(500);
    private static final Duration COMMITTED = Duration.ofSeconds(5);
    private static final Duration RESTART = Duration.ofSeconds(1);
    /** So many requests wait for room here before no more are fetched; a poll brings some more. */
    private static final int READ_AHEAD = 1_000;

    private static final Map<String, Object> CONSUMER = Map.of(
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            CooperativeStickyAssignor.class.getName(),
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            200,
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
            16 << 20);

    private final KafkaClients clients;
    private final Topic<W> topic;
    private final CallHandler<W> handler;
    private final WorkerSettings settings;
    private final WorkerMeters meters;
    private final LocalDispatch localDispatch;
    private final String worker;
    private final Map<TopicPartition, PartitionProgress> partitions = new HashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    /** Read, and waiting for room. */
    private final Deque<Waiting<W>> waiting = new ArrayDeque<>();

    private volatile String problem = "not started";
    private volatile boolean stopping;
    private @Nullable ResultSender sender;
    private volatile @Nullable InFlight calls;
    private @Nullable Thread thread;
    private long lastCommit = System.nanoTime();

    private record Waiting<W>(
            ConsumerRecord<byte[], byte[]> record,
            TopicPartition partition,
            PartitionProgress progress,
            W request,
            Work.Ask ask) {
        int bytes() {
            return Math.max(0, record.serializedValueSize());
        }
    }

    /**
     * @param topic the request topic
     * @param meters where to count, or null
     * @param localDispatch where topologies of this process hand calls over
     */
    public WorkerLoop(
            KafkaClients clients,
            Topic<W> topic,
            CallHandler<W> handler,
            WorkerSettings settings,
            @Nullable MeterRegistry meters,
            LocalDispatch localDispatch) {
        this.localDispatch = localDispatch;
        this.clients = clients;
        this.topic = topic;
        this.handler = handler;
        this.settings = settings;
        this.meters = new WorkerMeters(meters == null ? new CompositeMeterRegistry() : meters, settings.name());
        this.worker = settings.name() + "-" + ProcessHandle.current().pid() + "-"
                + UUID.randomUUID().toString().substring(0, 8);
    }

    @Override
    public String name() {
        return settings.name();
    }

    /** This worker's own name, as it stands in its signs of life. */
    public String worker() {
        return worker;
    }

    @Override
    public void start() {
        var results = new ResultSender(clients, worker);
        var inFlight = new InFlight(settings, results, meters);
        sender = results;
        calls = inFlight;
        problem = "has not joined its group yet";
        thread = Thread.ofPlatform().name(settings.name() + "-loop").daemon().start(() -> run(results, inFlight));
        localDispatch.serve(topic, this);
    }

    // ---- calls that are handed over in memory

    @Override
    public boolean take(W request, String key, @Nullable String trace, Answers answers) {
        InFlight inFlight = calls;
        if (inFlight == null || stopping || !(handler.work(request) instanceof Work.Ask ask)) {
            return false;
        }
        if (inFlight.adopt(ask, answers)) {
            return true;
        }
        int bytes = handler.weight(request);
        if (!inFlight.reserve(key, bytes)) {
            return false;
        }
        var context = new CallContext(key, trace, new Cancellation(), true);
        try {
            var execution = handler.begin(request, context);
            inFlight.start(new RunningCall(ask, context, execution, bytes, answers, () -> {}));
            return true;
        } catch (RuntimeException e) {
            inFlight.release(key, bytes);
            LOG.atWarn().addKeyValue("call", ask.callId()).setCause(e).log("call could not be started");
            return false;
        }
    }

    @Override
    public boolean isRepeatable(W request, String key) {
        return handler.isRepeatable(request, key);
    }

    @Override
    public boolean cancel(UUID callId) {
        InFlight inFlight = calls;
        return inFlight != null && inFlight.cancel(callId);
    }

    @Override
    public Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    /** Ends within the grace time: what is not finished by then is handed over. */
    @Override
    public void close() {
        localDispatch.leave(topic, this);
        stopping = true;
        problem = "stopped";
        try {
            if (thread != null) {
                thread.join(settings.grace().plusSeconds(15));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (calls != null) {
            calls.close();
        }
        if (sender != null) {
            sender.close();
        }
    }

    // ---- everything below is the loop's own thread

    /** A broken client is replaced, not the worker: what is in flight goes on. */
    private void run(ResultSender results, InFlight inFlight) {
        while (!stopping) {
            Consumer<byte[], byte[]> consumer = clients.consumer(worker, settings.name(), CONSUMER);
            try {
                consumer.subscribe(List.of(topic.name()), new Rebalance(consumer));
                read(consumer, results, inFlight);
                drain(consumer, inFlight);
            } catch (RuntimeException e) {
                problem = "restarts after " + e;
                LOG.atError().addKeyValue("worker", worker).setCause(e).log("worker consumer failed; restarting");
                pause();
            } finally {
                waiting.clear();
                partitions.clear();
                consumer.close();
            }
        }
    }

    private static void pause() {
        LockSupport.parkNanos(RESTART.toNanos());
    }

    private void read(Consumer<byte[], byte[]> consumer, ResultSender results, InFlight inFlight) {
        while (!stopping) {
            for (var record : consumer.poll(waiting.isEmpty() ? IDLE : BUSY)) {
                accept(record, results, inFlight);
            }
            takeUp(results, inFlight);
            if (readsOn()) {
                consumer.resume(consumer.paused());
            } else {
                consumer.pause(consumer.assignment());
            }
            commitWhenDue(consumer);
        }
    }

    /** Behind the calls of a project that has no room there may be others. */
    private boolean readsOn() {
        return waiting.size() < READ_AHEAD
                && waiting.stream().mapToLong(Waiting::bytes).sum() < settings.maxBytes() / 4;
    }

    private void accept(ConsumerRecord<byte[], byte[]> record, ResultSender results, InFlight inFlight) {
        var partition = new TopicPartition(record.topic(), record.partition());
        PartitionProgress progress = partitions.get(partition);
        if (progress == null || progress.finishedBefore(record.offset())) {
            if (progress != null) {
                progress.passed(record.offset());
            }
            return;
        }
        try {
            W request = value(record);
            switch (handler.work(request)) {
                case Work.Ask ask -> {
                    progress.read(record.offset());
                    waiting.add(new Waiting<>(record, partition, progress, request, ask));
                }
                case Work.Cancel cancel -> {
                    progress.passed(record.offset());
                    cancel(cancel.callId(), results, inFlight);
                }
            }
        } catch (RuntimeException e) {
            deadLetter(record, progress, e, results, inFlight);
        }
    }

    private W value(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            throw new SerializationException("a request without a value");
        }
        return RecordCodec.read(topic, record);
    }

    /** A call that still waits is taken up at once, room or not, only to be answered as cancelled. */
    private void cancel(UUID callId, ResultSender results, InFlight inFlight) {
        var found = waiting.stream()
                .filter(call -> call.ask().callId().equals(callId))
                .toList();
        waiting.removeAll(found);
        found.forEach(call -> {
            inFlight.reserveAnyway(RecordCodec.key(call.record()), call.bytes());
            start(call, Optional.of(Cancellation.Reason.CANCELLED), results, inFlight);
        });
        inFlight.cancel(callId);
    }

    private void deadLetter(
            ConsumerRecord<byte[], byte[]> record,
            PartitionProgress progress,
            RuntimeException cause,
            ResultSender results,
            InFlight inFlight) {
        LOG.atWarn()
                .addKeyValue("topic", record.topic())
                .addKeyValue("partition", record.partition())
                .addKeyValue("offset", record.offset())
                .setCause(cause)
                .log("a request cannot be read and becomes a dead letter");
        meters.deadLetters.increment();
        progress.read(record.offset());
        inFlight.aside(() -> {
            while (!results.deadLetter(record, cause)) {
                if (stopping) {
                    return;
                }
                pause();
            }
            progress.finished(record.offset());
        });
    }

    /** In their order, but nobody waits for those of a project that has no room. */
    private void takeUp(ResultSender results, InFlight inFlight) {
        for (var each = waiting.iterator(); each.hasNext(); ) {
            Waiting<W> next = each.next();
            long offset = next.record().offset();
            if (Instant.now().isAfter(next.ask().leaseUntil())) {
                meters.late.increment();
                next.progress().finished(offset);
                each.remove();
            } else if (inFlight.adopt(next.ask(), null)) {
                next.progress().finished(offset);
                each.remove();
            } else if (inFlight.reserve(RecordCodec.key(next.record()), next.bytes())) {
                each.remove();
                start(next, Optional.empty(), results, inFlight);
            }
        }
    }

    private void start(
            Waiting<W> next, Optional<Cancellation.Reason> cancelled, ResultSender results, InFlight inFlight) {
        var record = next.record();
        var progress = next.progress();
        long offset = record.offset();
        var context = new CallContext(RecordCodec.key(record), RecordCodec.trace(record.headers()), new Cancellation());
        cancelled.ifPresent(context.cancellation()::cancel);
        try {
            var execution = handler.begin(next.request(), context);
            progress.taken(offset, next.ask().leaseUntil());
            inFlight.start(new RunningCall(
                    next.ask(), context, execution, next.bytes(), null, () -> progress.finished(offset)));
        } catch (RuntimeException e) {
            inFlight.release(context.key(), next.bytes());
            deadLetter(record, progress, e, results, inFlight);
        }
    }

    // ---- the position

    private void commitWhenDue(Consumer<byte[], byte[]> consumer) {
        if (System.nanoTime() - lastCommit < COMMIT.toNanos()) {
            return;
        }
        lastCommit = System.nanoTime();
        var changed = positions(partitions.keySet(), Instant.now());
        changed.entrySet().removeIf(position -> position.getValue().equals(committed.get(position.getKey())));
        if (!changed.isEmpty()) {
            committed.putAll(changed);
            consumer.commitAsync(changed, (_, e) -> {
                if (e != null) {
                    committed.keySet().removeAll(changed.keySet()); // again next time
                    LOG.atDebug().setCause(e).log("positions were not committed");
                }
            });
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> positions(Collection<TopicPartition> of, Instant at) {
        var positions = new HashMap<TopicPartition, OffsetAndMetadata>();
        for (TopicPartition partition : of) {
            PartitionProgress progress = partitions.get(partition);
            OffsetAndMetadata position = progress == null ? null : progress.position(at);
            if (position != null) {
                positions.put(partition, position);
            }
        }
        return positions;
    }

    private void commitNow(Consumer<byte[], byte[]> consumer, Map<TopicPartition, OffsetAndMetadata> positions) {
        try {
            consumer.commitSync(positions, Duration.ofSeconds(2));
        } catch (KafkaException e) {
            LOG.atWarn()
                    .addKeyValue("worker", worker)
                    .setCause(e)
                    .log("positions were not committed; some requests may be taken up twice");
        }
    }

    /** Takes nothing more up, lets what runs end within the grace time, and hands the rest over. */
    private void drain(Consumer<byte[], byte[]> consumer, InFlight inFlight) {
        waiting.clear();
        long end = System.nanoTime() + settings.grace().toNanos();
        while (inFlight.size() > 0 && System.nanoTime() < end) {
            consumer.pause(consumer.assignment());
            consumer.poll(BUSY); // keeps the membership
            commitWhenDue(consumer);
        }
        inFlight.handOver();
        commitNow(consumer, positions(partitions.keySet(), Instant.now()));
    }

    /** Takes partitions over where the one before left them. */
    private final class Rebalance implements ConsumerRebalanceListener {
        private final Consumer<byte[], byte[]> consumer;

        Rebalance(Consumer<byte[], byte[]> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
            Set<TopicPartition> fresh = new HashSet<>(assigned);
            var before = fresh.isEmpty()
                    ? Map.<TopicPartition, OffsetAndMetadata>of()
                    : consumer.committed(fresh, COMMITTED);
            fresh.forEach(partition -> partitions.put(partition, new PartitionProgress(before.get(partition))));
            problem = "";
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            forget(revoked, () -> commitNow(consumer, positions(revoked, PartitionProgress.HANDED_OVER)));
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> lost) {
            forget(lost, () -> {});
        }

        private void forget(Collection<TopicPartition> gone, Runnable first) {
            waiting.removeIf(call -> gone.contains(call.partition()));
            if (!gone.isEmpty()) {
                first.run();
            }
            partitions.keySet().removeAll(gone);
            committed.keySet().removeAll(gone);
        }
    }
}

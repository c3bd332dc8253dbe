package dev.parley.platform.worker;

import dev.parley.platform.clock.Deadline;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.dispatch.LocalWorker;
import dev.parley.platform.dispatch.ResultReceiver;
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
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a request topic as a member of a consumer group, and executes each request on a virtual thread.
 *
 * <ul>
 *   <li>The committed offset is the lowest unfinished request; {@link PartitionProgress} has the finished ones after it. A
 *       request is finished when its result is acknowledged.
 *   <li>Calls in flight are bounded by count and by bytes, and {@linkplain FairSlots shared} between projects. Other
 *       requests wait; when many wait, no more are fetched.
 *   <li>A request whose lease has expired before it is started is dropped, since it is requested again.
 *   <li>When a partition moves to another worker, its running calls continue here. The other worker does not start them: if
 *       this worker dies, their leases expire and they are requested again.
 * </ul>
 *
 * <p>Calls are handed over in memory on any thread. Waiting requests, partitions and committed offsets belong to the
 * thread of the loop.
 */
public final class WorkerLoop<W> implements Service, LocalWorker<W> {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLoop.class);
    /** Nothing is in flight, and all positions are committed. */
    private static final Duration IDLE = Duration.ofMillis(500);
    /** Positions are to be committed. */
    private static final Duration ACTIVE = Duration.ofMillis(100);
    /** Requests wait for a slot. */
    private static final Duration BUSY = Duration.ofMillis(5);

    private static final Duration COMMIT = Duration.ofMillis(500);
    private static final Duration COMMITTED = Duration.ofSeconds(5);
    private static final Duration RESTART = Duration.ofSeconds(1);
    /** Number of waiting requests beyond which no more are fetched; a poll may exceed it. */
    private static final int READ_AHEAD = 1_000;

    private static final Map<String, Object> CONSUMER = Map.of(
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            CooperativeStickyAssignor.class.getName(),
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            200,
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
            16 << 20,
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            KafkaClients.FOLLOWING_WAIT_MILLIS);

    private final KafkaClients clients;
    private final Topic<W> topic;
    private final CallHandler<W> handler;
    private final WorkerSettings settings;
    private final WorkerMeters meters;
    private final LocalDispatch localDispatch;
    private final String worker;
    private final Map<TopicPartition, PartitionProgress> partitions = new HashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    /** Requests that wait for a slot. */
    private final Deque<Waiting<W>> waiting = new ArrayDeque<>();

    private volatile String problem = "not started";
    private volatile String unreadable = "";
    private volatile boolean stopping;
    private @Nullable ResultSender sender;
    private volatile @Nullable InFlight calls;
    private @Nullable Thread thread;
    private long lastCommit = System.nanoTime();
    private boolean uncommitted;

    private record Waiting<W>(
            ConsumerRecord<byte[], byte[]> record,
            TopicPartition partition,
            PartitionProgress progress,
            W request,
            WorkerRequest.Call call) {
        int bytes() {
            return Math.max(0, record.serializedValueSize());
        }
    }

    /**
     * @param topic the request topic
     * @param meters registry of the metrics, or null
     * @param localDispatch hands over calls of topologies in this process
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

    /** Unique name of this worker in its heartbeats. */
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

    @Override
    public boolean take(W request, String key, @Nullable String trace, ResultReceiver results) {
        InFlight inFlight = calls;
        if (inFlight == null || stopping || !(handler.classify(request) instanceof WorkerRequest.Call call)) {
            return false;
        }
        if (inFlight.adopt(call, results)) {
            return true;
        }
        int bytes = handler.weight(request);
        if (!inFlight.reserve(key, bytes)) {
            return false;
        }
        var context = new CallContext(key, trace, cancellation(call), true);
        try {
            inFlight.start(new RunningCall(call, context, handler.begin(request, context), bytes, results, () -> {}));
            return true;
        } catch (RuntimeException e) {
            inFlight.release(key, bytes);
            LOG.atWarn().addKeyValue("call", call.callId()).setCause(e).log("call could not be started");
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
        return Stream.of(problem, unreadable).filter(text -> !text.isEmpty()).findFirst();
    }

    /** Lets calls end within the grace time, and hands the others over to other workers. */
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

    /** A failed consumer is replaced while calls in flight continue. */
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
                unreadable = "";
                consumer.close();
            }
        }
    }

    private static void pause() {
        LockSupport.parkNanos(RESTART.toNanos());
    }

    private void read(Consumer<byte[], byte[]> consumer, ResultSender results, InFlight inFlight) {
        while (!stopping) {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(pollTimeout(inFlight));
            for (TopicPartition partition : records.partitions()) {
                acceptAll(partition, records.records(partition), consumer, results, inFlight);
            }
            uncommitted |= !records.isEmpty();
            startWaiting(results, inFlight);
            if (hasReadAheadRoom()) {
                consumer.resume(consumer.paused());
            } else {
                consumer.pause(consumer.assignment());
            }
            commitWhenDue(consumer);
        }
    }

    private Duration pollTimeout(InFlight inFlight) {
        if (!waiting.isEmpty()) {
            return BUSY;
        }
        return inFlight.size() == 0 && !uncommitted ? IDLE : ACTIVE;
    }

    /** Whether to read past waiting requests of one project, behind which there may be others. */
    private boolean hasReadAheadRoom() {
        return waiting.size() < READ_AHEAD
                && waiting.stream().mapToLong(Waiting::bytes).sum() < settings.maxBytes() / 4;
    }

    /** Stops at a request that cannot be read now, which the next poll returns again. */
    private void acceptAll(
            TopicPartition partition,
            List<ConsumerRecord<byte[], byte[]>> records,
            Consumer<byte[], byte[]> consumer,
            ResultSender results,
            InFlight inFlight) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            try {
                accept(partition, record, results, inFlight);
            } catch (RetriableException e) {
                if (unreadable.isEmpty()) {
                    LOG.atWarn()
                            .addKeyValue("worker", worker)
                            .setCause(e)
                            .log("a request cannot be read now; retrying");
                }
                unreadable = "a request cannot be read now: " + e.getMessage();
                consumer.seek(partition, record.offset());
                pause();
                return;
            }
        }
        unreadable = "";
    }

    /** @throws RetriableException if the request cannot be read now */
    private void accept(
            TopicPartition partition, ConsumerRecord<byte[], byte[]> record, ResultSender results, InFlight inFlight) {
        PartitionProgress progress = partitions.get(partition);
        if (progress == null || progress.passIfFinished(record.offset())) {
            return; // the partition was revoked, or its previous owner finished the request
        }
        try {
            queueOrCancel(record, partition, progress, results, inFlight);
        } catch (RetriableException e) {
            throw e;
        } catch (RuntimeException e) {
            deadLetter(record, progress, e, results, inFlight);
        }
    }

    private void queueOrCancel(
            ConsumerRecord<byte[], byte[]> record,
            TopicPartition partition,
            PartitionProgress progress,
            ResultSender results,
            InFlight inFlight) {
        W request = value(record);
        switch (handler.classify(request)) {
            case WorkerRequest.Call call -> {
                progress.onRead(record.offset());
                waiting.add(new Waiting<>(record, partition, progress, request, call));
            }
            case WorkerRequest.Cancel(UUID callId) -> {
                progress.onPassed(record.offset());
                cancel(callId, results, inFlight);
            }
        }
    }

    private W value(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            throw new SerializationException("a request without a value");
        }
        return RecordCodec.read(topic, record);
    }

    /** A waiting call is started beyond the limits, to complete it as cancelled. */
    private void cancel(UUID callId, ResultSender results, InFlight inFlight) {
        var found = waiting.stream()
                .filter(entry -> entry.call().callId().equals(callId))
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
        meters.deadLetters.increment();
        progress.onRead(record.offset());
        inFlight.run(() -> {
            while (!results.deadLetter(record, cause)) {
                if (stopping) {
                    return;
                }
                pause();
            }
            progress.onFinished(record.offset());
        });
    }

    /** Starts waiting requests in order, except those of projects without a free slot. */
    private void startWaiting(ResultSender results, InFlight inFlight) {
        for (var iterator = waiting.iterator(); iterator.hasNext(); ) {
            Waiting<W> next = iterator.next();
            long offset = next.record().offset();
            if (Instant.now().isAfter(next.call().leaseUntil())) {
                meters.late.increment();
                next.progress().onFinished(offset);
                iterator.remove();
            } else if (inFlight.adopt(next.call(), null)) {
                next.progress().onFinished(offset);
                iterator.remove();
            } else if (inFlight.reserve(RecordCodec.key(next.record()), next.bytes())) {
                iterator.remove();
                start(next, Optional.empty(), results, inFlight);
            }
        }
    }

    private void start(
            Waiting<W> next, Optional<Cancellation.Reason> cancelled, ResultSender results, InFlight inFlight) {
        var record = next.record();
        var progress = next.progress();
        long offset = record.offset();
        var context = new CallContext(
                RecordCodec.key(record), RecordCodec.trace(record.headers()), cancellation(next.call()));
        cancelled.ifPresent(context.cancellation()::cancel);
        try {
            var execution = handler.begin(next.request(), context);
            progress.onStarted(offset, next.call().leaseUntil());
            inFlight.start(new RunningCall(
                    next.call(), context, execution, next.bytes(), null, () -> progress.onFinished(offset)));
        } catch (RuntimeException e) {
            inFlight.release(context.key(), next.bytes());
            deadLetter(record, progress, e, results, inFlight);
        }
    }

    private static Cancellation cancellation(WorkerRequest.Call call) {
        return new Cancellation(Deadline.at(call.deadline()));
    }

    private void commitWhenDue(Consumer<byte[], byte[]> consumer) {
        if (System.nanoTime() - lastCommit < COMMIT.toNanos()) {
            return;
        }
        lastCommit = System.nanoTime();
        var changed = positions(partitions.keySet(), Instant.now());
        changed.entrySet().removeIf(position -> position.getValue().equals(committed.get(position.getKey())));
        uncommitted = !changed.isEmpty();
        if (!changed.isEmpty()) {
            committed.putAll(changed);
            consumer.commitAsync(changed, (_, e) -> {
                if (e != null) {
                    committed.keySet().removeAll(changed.keySet()); // retried at the next commit
                    LOG.atDebug().setCause(e).log("positions were not committed");
                }
            });
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> positions(Collection<TopicPartition> assigned, Instant now) {
        var positions = new HashMap<TopicPartition, OffsetAndMetadata>();
        for (TopicPartition partition : assigned) {
            PartitionProgress progress = partitions.get(partition);
            OffsetAndMetadata position = progress == null ? null : progress.position(now);
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

    /** Lets calls end within the grace time, and hands the others over. */
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

    /** Resumes partitions from the progress of their previous owner. */
    private final class Rebalance implements ConsumerRebalanceListener {
        private final Consumer<byte[], byte[]> consumer;

        Rebalance(Consumer<byte[], byte[]> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
            Set<TopicPartition> added = new HashSet<>(assigned);
            var offsets = added.isEmpty()
                    ? Map.<TopicPartition, OffsetAndMetadata>of()
                    : consumer.committed(added, COMMITTED);
            added.forEach(partition -> partitions.put(partition, new PartitionProgress(offsets.get(partition))));
            problem = "";
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            remove(revoked, () -> commitNow(consumer, positions(revoked, PartitionProgress.HANDED_OVER)));
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> lost) {
            remove(lost, () -> {});
        }

        private void remove(Collection<TopicPartition> removed, Runnable first) {
            waiting.removeIf(call -> removed.contains(call.partition()));
            if (!removed.isEmpty()) {
                first.run();
            }
            partitions.keySet().removeAll(removed);
            committed.keySet().removeAll(removed);
        }
    }
}

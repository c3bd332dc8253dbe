package dev.parley.channels.web;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.http.EventStream;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deltas of one session in order, without gaps and duplicates. Old ones are read from the topic, newer ones come
 * from the hub. One thread calls {@link #next}. When it is slow and too many are pending, the watch drops further ones,
 * and resumes at the first dropped one later.
 */
final class DeltaWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeltaWatch.class);
    private static final int MAX_WAITING = 1_024;
    private static final int MAX_WAITING_BYTES = 1 << 20;
    private static final Duration CATCH_UP_POLL = Duration.ofMillis(500);

    private final RecordKey key;
    private final int partition;
    private final DeltaLog log;
    private final LongFunction<CatchUp> catchUps;
    private final Consumer<DeltaWatch> onClose;
    private final Deque<ConsumerRecord<byte[], byte[]>> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private final AtomicBoolean closed = new AtomicBoolean();
    private boolean ended;
    /** The first record that was dropped; -1 for none. */
    private long missed = -1;

    private @Nullable CatchUp catchUp;
    private volatile long askedNanos = System.nanoTime();

    /**
     * @param catchUps starts reading the topic at an offset
     * @param onClose called when it is closed
     */
    DeltaWatch(
            RecordKey key, int partition, DeltaLog log, LongFunction<CatchUp> catchUps, Consumer<DeltaWatch> onClose) {
        this.catchUps = catchUps;
        this.key = key;
        this.partition = partition;
        this.log = log;
        this.onClose = onClose;
    }

    /** Follows from this offset on; older records are read from the topic first. */
    void attachAt(long from) {
        if (!attach(from)) {
            catchUp = catchUps.apply(from);
        }
    }

    private boolean attach(long from) {
        return log.attach(this, key.toString(), from);
    }

    /** Follows from now on. */
    void attachAtEnd() {
        synchronized (log) {
            attach(log.next());
        }
    }

    /** Follows from the oldest cached record. */
    void attachAtOldest() {
        synchronized (log) {
            attach(log.firstCoveredOffset());
        }
    }

    /**
     * The next delta; empty when none arrived in time.
     *
     * @throws EndedException when there will be none: the server stops, or old ones cannot be read
     */
    Optional<PositionedDelta> next(Duration timeout) throws InterruptedException {
        askedNanos = System.nanoTime();
        CatchUp current = catchUp;
        return current == null ? live(timeout) : old(current, timeout);
    }

    private Optional<PositionedDelta> live(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            ConsumerRecord<byte[], byte[]> record = take(deadline);
            Optional<PositionedDelta> delta = record == null ? Optional.empty() : read(record);
            if (record == null && resume()) {
                return next(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            }
            if (record == null || delta.isPresent()) {
                return delta;
            }
        }
    }

    private synchronized @Nullable ConsumerRecord<byte[], byte[]> take(long deadline) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long remaining = deadline - System.nanoTime();
        while (waiting.isEmpty() && !ended && missed < 0 && remaining > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, remaining);
            remaining = deadline - System.nanoTime();
        }
        ConsumerRecord<byte[], byte[]> record = waiting.pollFirst();
        if (record == null && ended) {
            throw new EndedException();
        }
        waitingBytes -= record == null ? 0 : DeltaLog.weight(record);
        return record;
    }

    /**
     * Resumes at the first dropped record; false where none was dropped. Its own lock is never held while it takes that
     * of the log.
     */
    private boolean resume() {
        long from = firstMissedOffset();
        if (from < 0) {
            return false;
        }
        log.detach(this, key.toString());
        clearMissed();
        attachAt(from);
        return true;
    }

    private synchronized long firstMissedOffset() {
        return missed;
    }

    private synchronized void clearMissed() {
        missed = -1;
    }

    private Optional<PositionedDelta> old(CatchUp current, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (waiting.isEmpty()) {
            if (attach(current.position())) {
                current.close();
                catchUp = null;
                return live(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            }
            if (System.nanoTime() - deadline >= 0) {
                return Optional.empty();
            }
            if (isEnded() || current.isOverdue()) {
                throw new EndedException();
            }
            current.poll(CATCH_UP_POLL, key.toString()).forEach(this::prefill);
        }
        return live(Duration.ZERO);
    }

    private synchronized boolean isEnded() {
        return ended;
    }

    private Optional<PositionedDelta> read(ConsumerRecord<byte[], byte[]> record) {
        try {
            TurnDelta delta = RecordCodec.read(Topics.TURN_DELTAS, record);
            return Optional.of(new PositionedDelta(new PositionedDelta.Position(partition, record.offset()), delta));
        } catch (SerializationException e) {
            LOG.atWarn()
                    .addKeyValue("session", key)
                    .addKeyValue("offset", record.offset())
                    .log("unreadable delta skipped");
            return Optional.empty();
        }
    }

    /** Adds a record without a check of the limits: the old records together fit into the cache or one fetch. */
    synchronized void prefill(ConsumerRecord<byte[], byte[]> record) {
        waiting.addLast(record);
        waitingBytes += DeltaLog.weight(record);
    }

    /** A new record, dropped when too many are pending. */
    synchronized void offer(ConsumerRecord<byte[], byte[]> record) {
        boolean full = waiting.size() >= MAX_WAITING || waitingBytes >= MAX_WAITING_BYTES;
        if (missed < 0 && full) {
            missed = record.offset();
        } else if (missed < 0 && !ended) {
            prefill(record);
        }
        notifyAll();
    }

    /** Ends the watch: no more records follow. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Whether {@link #next} was not called for this long. */
    boolean isAbandoned(Duration after) {
        return System.nanoTime() - askedNanos > after.toNanos();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        end();
        log.detach(this, key.toString());
        CatchUp current = catchUp;
        if (current != null) {
            current.close();
            catchUp = null;
        }
        onClose.accept(this);
    }

    /** The watch ended; the client can resume with a new one. */
    static final class EndedException extends EventStream.EndedException {
        private static final long serialVersionUID = 1;
    }
}

package dev.parley.channels.web;

import dev.parley.domain.RecordKey;
import dev.parley.domain.turn.TurnDelta;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.kafka.Wire;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deltas of one session, one after the other, without a gap and without a duplicate. Old ones come from the topic,
 * newer ones from the hub. One thread asks for {@link #next}. A watch whose reader is too slow ends; its client resumes.
 */
final class DeltaWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeltaWatch.class);
    private static final int MAX_WAITING = 1_024;
    private static final int MAX_WAITING_BYTES = 1 << 20;
    private static final Duration CATCH_UP_POLL = Duration.ofMillis(500);

    private final RecordKey key;
    private final int partition;
    private final DeltaLog log;
    private final Consumer<DeltaWatch> onClose;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<ConsumerRecord<byte[], byte[]>> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private final AtomicBoolean closed = new AtomicBoolean();
    private boolean ended;
    private @Nullable CatchUp catchUp;
    private volatile long askedNanos = System.nanoTime();

    /** @param onClose is told when nobody watches any more */
    DeltaWatch(RecordKey key, int partition, DeltaLog log, Consumer<DeltaWatch> onClose) {
        this.key = key;
        this.partition = partition;
        this.log = log;
        this.onClose = onClose;
    }

    /** Follows from this offset on; false when the hub does not have all records from there. */
    boolean attach(long from) {
        return log.attach(this, key.toString(), from);
    }

    /** Follows what is newest, from now on. */
    void attachAtEnd() {
        synchronized (log) {
            attach(log.next());
        }
    }

    /** Follows from the oldest record that the hub has. */
    void attachAtOldest() {
        synchronized (log) {
            attach(log.covered());
        }
    }

    /** Reads older records from the topic first. */
    void catchUp(CatchUp from) {
        catchUp = from;
    }

    /**
     * The next delta; empty when none came in time.
     *
     * @throws EndedException when there will be none: the reader was too slow, or the server stops
     */
    Optional<Delta> next(Duration most) throws InterruptedException {
        askedNanos = System.nanoTime();
        CatchUp behind = catchUp;
        return behind == null ? live(most) : old(behind, most);
    }

    private Optional<Delta> live(Duration most) throws InterruptedException {
        long left = most.toNanos();
        while (true) {
            ConsumerRecord<byte[], byte[]> record;
            lock.lockInterruptibly();
            try {
                while (waiting.isEmpty() && !ended && left > 0) {
                    left = changed.awaitNanos(left);
                }
                record = waiting.pollFirst();
                if (record == null && ended) {
                    throw new EndedException();
                }
                waitingBytes -= record == null ? 0 : DeltaLog.weight(record);
            } finally {
                lock.unlock();
            }
            if (record == null) {
                return Optional.empty();
            }
            Optional<Delta> delta = read(record);
            if (delta.isPresent()) {
                return delta;
            }
        }
    }

    private Optional<Delta> old(CatchUp behind, Duration most) throws InterruptedException {
        long until = System.nanoTime() + most.toNanos();
        while (waiting.isEmpty()) {
            if (attach(behind.position())) {
                behind.close();
                catchUp = null;
                return live(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
            }
            if (System.nanoTime() - until >= 0) {
                return Optional.empty();
            }
            if (isEnded() || behind.isOverdue()) {
                throw new EndedException();
            }
            behind.poll(CATCH_UP_POLL, key.toString()).forEach(this::prefill);
        }
        return live(Duration.ZERO);
    }

    private boolean isEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    private Optional<Delta> read(ConsumerRecord<byte[], byte[]> record) {
        try {
            TurnDelta delta = Wire.read(Topics.TURN_DELTAS, record);
            return Optional.of(new Delta(new Delta.Position(partition, record.offset()), delta));
        } catch (SerializationException e) {
            LOG.atWarn().addKeyValue("session", key).addKeyValue("offset", record.offset()).log("an unreadable delta is not shown");
            return Optional.empty();
        }
    }

    /** A record from the past; there are never more than the hub or one fetch holds. */
    void prefill(ConsumerRecord<byte[], byte[]> record) {
        lock.lock();
        try {
            waiting.addLast(record);
            waitingBytes += DeltaLog.weight(record);
        } finally {
            lock.unlock();
        }
    }

    /** A new record. When too many wait, none is taken any more: those before it are still read, then it ends. */
    void offer(ConsumerRecord<byte[], byte[]> record) {
        lock.lock();
        try {
            boolean full = waiting.size() >= MAX_WAITING || waitingBytes >= MAX_WAITING_BYTES;
            if (full) {
                ended = true;
            } else if (!ended) {
                waiting.addLast(record);
                waitingBytes += DeltaLog.weight(record);
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** No more will come. */
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Whether nobody has asked for so long that nobody will. */
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
        CatchUp behind = catchUp;
        if (behind != null) {
            behind.close();
            catchUp = null;
        }
        onClose.accept(this);
    }

    /** There will be no more deltas on this watch; a new one can go on after the last. */
    static final class EndedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        EndedException() {
            super("the watch has ended", null, false, false);
        }
    }
}

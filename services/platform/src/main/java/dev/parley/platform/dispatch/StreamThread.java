package dev.parley.platform.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a stream thread, its consumer, its producer and its tasks tell each other. One stream thread has one transaction at a time,
 * whatever its tasks: so it has one of these.
 *
 * <p>A commit is wanted by those who wait for it, now or within a time. It is made as soon as no record and no answer waits to be
 * processed, so that all that is ready shares it, and after {@link #LATEST} in any case.
 */
public final class StreamThread {
    /** How long a wanted commit is put off at most while there is more to process. */
    static final Duration LATEST = Duration.ofMillis(20);

    private static final Logger LOG = LoggerFactory.getLogger(StreamThread.class);
    private static final ThreadLocal<StreamThread> CURRENT = ThreadLocal.withInitial(StreamThread::new);
    private static final long NEVER = Long.MAX_VALUE;

    /** Answers that wait in the localDispatch of the thread's tasks. */
    private final AtomicInteger answers = new AtomicInteger();

    private volatile Runnable waker = () -> {};
    private List<Runnable> afterCommit = new ArrayList<>();
    private long transaction;
    private int polled;
    private long due = NEVER;
    private long latest = NEVER;

    private StreamThread() {}

    /** That of the calling thread. */
    public static StreamThread current() {
        return CURRENT.get();
    }

    // ---- the consumer

    /** @param wake ends the consumer's poll; any thread may run it */
    public void attach(Runnable wake) {
        waker = wake;
    }

    /** How long the consumer may wait for records: until an answer, or the next commit. @param most what it would wait otherwise */
    public Duration patience(Duration most) {
        if (answers.get() > 0) {
            return Duration.ZERO;
        }
        if (due == NEVER) {
            return most;
        }
        var left = Duration.ofNanos(Math.max(0, due - System.nanoTime()));
        return left.compareTo(most) < 0 ? left : most;
    }

    /** So many records were polled; those polled before are processed. */
    public void polled(int records) {
        polled = records;
    }

    // ---- the producer

    /** A transaction was committed: what waited for it happens. */
    public void committed() {
        List<Runnable> hooks = afterCommit;
        discarded();
        for (Runnable hook : hooks) {
            try {
                hook.run();
            } catch (RuntimeException e) {
                LOG.atError().setCause(e).log("action after a commit failed");
            }
        }
    }

    /** A transaction was aborted, or its producer is gone: nothing of it has happened. */
    public void discarded() {
        afterCommit = new ArrayList<>();
        transaction++;
        due = NEVER;
        latest = NEVER;
    }

    // ---- the tasks

    /** Number of the running transaction. */
    long transaction() {
        return transaction;
    }

    /** A record was processed. */
    void processed() {
        polled--;
    }

    /** Whether polled records or answers wait. */
    boolean isBusy() {
        return polled > 0 || answers.get() > 0;
    }

    /** Somebody waits for the commit, and can wait for so long. */
    void want(Duration within) {
        long now = System.nanoTime();
        due = Math.min(due, now + within.toNanos());
        latest = Math.min(latest, now + within.plus(LATEST).toNanos());
    }

    /** Whether to ask for a commit now; once asked for, Kafka Streams makes it as soon as it can. */
    boolean takeCommit() {
        long now = System.nanoTime();
        boolean commits = due <= now && (latest <= now || !isBusy());
        if (commits) {
            due = NEVER;
            latest = NEVER;
        }
        return commits;
    }

    /** Does something when the running transaction is committed, and never if it is not. It neither blocks nor fails. */
    void afterCommit(Runnable hook) {
        afterCommit.add(hook);
    }

    // ---- any thread

    /** So many answers more, or less, wait. */
    void waiting(int change) {
        answers.addAndGet(change);
        if (change > 0) {
            waker.run();
        }
    }
}

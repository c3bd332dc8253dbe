package dev.parley.platform.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * State shared by a stream thread, its consumer, its producer and its tasks, which have one transaction at a time.
 *
 * <p>Steps request a commit, now or within a time. It is made when no record and no result is waiting, so that all
 * ready work shares it, and at most {@link #LATEST} after that time.
 *
 * <p>Only the stream thread calls the methods, except {@link #addWaiting}.
 */
public final class StreamThread {
    /** Longest delay of a due commit while records or results are waiting. */
    static final Duration LATEST = Duration.ofMillis(20);

    private static final Logger LOG = LoggerFactory.getLogger(StreamThread.class);
    private static final ThreadLocal<StreamThread> CURRENT = ThreadLocal.withInitial(StreamThread::new);
    private static final long NEVER = Long.MAX_VALUE;

    /** Number of results that wait in the thread's tasks. */
    private final AtomicInteger results = new AtomicInteger();

    private volatile Runnable waker = () -> {};
    private List<Runnable> commitHooks = new ArrayList<>();
    private long transaction;
    private int polled;
    private long due = NEVER;
    private long latest = NEVER;
    /** When tasks want to run though nothing arrives. */
    private final Map<Object, Instant> wakeUps = new HashMap<>();

    private StreamThread() {}

    /** The state of the calling thread. */
    public static StreamThread current() {
        return CURRENT.get();
    }

    /**
     * Sets the action that ends the consumer's poll.
     *
     * @param wake any thread may run it
     */
    public void attach(Runnable wake) {
        waker = wake;
    }

    /**
     * The timeout of a poll: at most the time to the next commit, and zero while a result waits.
     *
     * @param timeout its usual timeout
     */
    public Duration pollTimeout(Duration timeout) {
        if (results.get() > 0) {
            return Duration.ZERO;
        }
        if (due == NEVER) {
            return timeout;
        }
        var remaining = Duration.ofNanos(Math.max(0, due - System.nanoTime()));
        return remaining.compareTo(timeout) < 0 ? remaining : timeout;
    }

    /**
     * Sets when a task must run though no record and no result arrives.
     *
     * @param task a key for the task
     * @param time null for never
     */
    public void wakeAt(Object task, @Nullable Instant time) {
        if (time == null) {
            wakeUps.remove(task);
        } else {
            wakeUps.put(task, time);
        }
    }

    /** The first of these times, or this one if all are later. */
    public Instant wakeUpBefore(Instant latestTime) {
        Instant first = latestTime;
        for (Instant time : wakeUps.values()) {
            first = time.isBefore(first) ? time : first;
        }
        return first;
    }

    /** The consumer polled records; earlier ones are processed. */
    public void onPolled(int records) {
        polled = records;
    }

    /** A transaction was committed: runs the commit hooks. */
    public void onCommitted() {
        List<Runnable> hooks = commitHooks;
        onDiscarded();
        for (Runnable hook : hooks) {
            try {
                hook.run();
            } catch (RuntimeException e) {
                LOG.atError().setCause(e).log("action after a commit failed");
            }
        }
    }

    /** A transaction was aborted or its producer closed: drops the commit hooks. */
    public void onDiscarded() {
        commitHooks = new ArrayList<>();
        transaction++;
        due = NEVER;
        latest = NEVER;
    }

    /** Number of the open transaction. */
    long transaction() {
        return transaction;
    }

    /** A record was processed. */
    void onProcessed() {
        polled--;
    }

    /** Whether polled records or results are waiting. */
    boolean isBusy() {
        return polled > 0 || results.get() > 0;
    }

    /** Requests a commit within a time. */
    void requestCommit(Duration within) {
        long now = System.nanoTime();
        due = Math.min(due, now + within.toNanos());
        latest = Math.min(latest, now + within.plus(LATEST).toNanos());
    }

    /** Whether a commit is due now; resets the request, since Kafka Streams commits as soon as it can. */
    boolean takeCommit() {
        long now = System.nanoTime();
        boolean isDue = due <= now && (latest <= now || !isBusy());
        if (isDue) {
            due = NEVER;
            latest = NEVER;
        }
        return isDue;
    }

    /**
     * Adds a hook that runs after the open transaction is committed, but not if it is aborted. It neither blocks nor
     * fails.
     */
    void afterCommit(Runnable hook) {
        commitHooks.add(hook);
    }

    /** Changes the number of waiting results; any thread may call it. */
    void addWaiting(int change) {
        results.addAndGet(change);
        if (change > 0) {
            waker.run();
        }
    }
}

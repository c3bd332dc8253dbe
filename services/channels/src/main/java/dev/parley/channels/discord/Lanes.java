package dev.parley.channels.discord;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work of many chats: that of one chat in its order, different chats at once. */
final class Lanes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    /** Of each chat that is worked for: what waits. */
    private final Map<String, Deque<Job>> lanes = new HashMap<>();

    private int waiting;
    private boolean closed;

    /** Something to be done. */
    interface Job {
        void run() throws InterruptedException;
    }

    /** Does something after all else that was given for the chat. */
    synchronized void submit(String chat, Job job) {
        if (closed) {
            return;
        }
        waiting++;
        Deque<Job> lane = lanes.get(chat);
        if (lane == null) {
            lane = new ArrayDeque<>();
            lanes.put(chat, lane);
            threads.execute(() -> run(chat));
        }
        lane.add(job);
    }

    private void run(String chat) {
        try {
            for (Job job = next(chat, null); job != null; job = next(chat, job)) {
                attempt(chat, job);
            }
        } catch (InterruptedException e) {
            // closed: whoever has the bot next goes on
        }
    }

    private static void attempt(String chat, Job job) throws InterruptedException {
        try {
            job.run();
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("chat", chat).setCause(e).log("event skipped");
        }
    }

    private synchronized @Nullable Job next(String chat, @Nullable Job done) {
        Deque<Job> lane = lanes.get(chat);
        if (done != null) {
            waiting--;
        }
        Job next = closed || lane == null ? null : lane.poll();
        if (next == null) {
            lanes.remove(chat);
        }
        return next;
    }

    /** What is not done. */
    synchronized int waiting() {
        return waiting;
    }

    /** Forgets what has not begun. */
    synchronized void clear() {
        for (Deque<Job> lane : lanes.values()) {
            waiting -= lane.size();
            lane.clear();
        }
    }

    /** Breaks off what is under way. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            clear();
        }
        threads.shutdownNow();
    }
}

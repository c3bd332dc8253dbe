package dev.parley.channels.chat;

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
public final class ChatQueues implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChatQueues.class);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    /** Of each chat that is worked for: what waits. */
    private final Map<String, Deque<Job>> queues = new HashMap<>();

    private int waiting;
    private boolean closed;

    /** Something to be done. */
    public interface Job {
        void run() throws InterruptedException;
    }

    /** Does something after all else that was given for the chat. */
    public synchronized void submit(String chat, Job job) {
        if (closed) {
            return;
        }
        waiting++;
        Deque<Job> queue = queues.get(chat);
        if (queue == null) {
            queue = new ArrayDeque<>();
            queues.put(chat, queue);
            threads.execute(() -> run(chat));
        }
        queue.add(job);
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
        Deque<Job> queue = queues.get(chat);
        if (done != null) {
            waiting--;
        }
        Job next = closed || queue == null ? null : queue.poll();
        if (next == null) {
            queues.remove(chat);
        }
        return next;
    }

    /** What is not done. */
    public synchronized int waiting() {
        return waiting;
    }

    /** Forgets what has not begun. */
    public synchronized void clear() {
        for (Deque<Job> queue : queues.values()) {
            waiting -= queue.size();
            queue.clear();
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

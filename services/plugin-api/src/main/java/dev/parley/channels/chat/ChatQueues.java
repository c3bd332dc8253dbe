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

/** Serial execution per chat, parallel execution of different chats. */
public final class ChatQueues implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChatQueues.class);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    /** Pending jobs of the chats that have a running worker. */
    private final Map<String, Deque<Job>> queues = new HashMap<>();

    private int waiting;
    private boolean closed;

    /** A job of a chat. */
    public interface Job {
        void run() throws InterruptedException;
    }

    /** Runs a job after all earlier ones of the chat. */
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
            // closed: the next owner of the bot resumes
        }
    }

    private static void attempt(String chat, Job job) throws InterruptedException {
        try {
            job.run();
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("chat", chat).setCause(e).log("event skipped");
        }
    }

    private synchronized @Nullable Job next(String chat, @Nullable Job finished) {
        Deque<Job> queue = queues.get(chat);
        if (finished != null) {
            waiting--;
        }
        Job next = closed || queue == null ? null : queue.poll();
        if (next == null) {
            queues.remove(chat);
        }
        return next;
    }

    /** The number of jobs that have not ended. */
    public synchronized int waiting() {
        return waiting;
    }

    /** Drops the jobs that have not started. */
    public synchronized void clear() {
        for (Deque<Job> queue : queues.values()) {
            waiting -= queue.size();
            queue.clear();
        }
    }

    /** Interrupts the running jobs. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            clear();
        }
        threads.shutdownNow();
    }
}

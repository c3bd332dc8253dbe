package dev.parley.channels.slack;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Work of different places at once, that of one place in its order; no more than so much at a time. */
final class PlaceQueues {
    private final int most;
    private final Map<String, Queue<Runnable>> waiting = new HashMap<>();
    private int count;

    PlaceQueues(int most) {
        this.most = most;
    }

    /** @param work throws nothing @return whether it is done some time; not where there is too much already */
    synchronized boolean add(String place, Runnable work) {
        if (count >= most) {
            return false;
        }
        count++;
        Queue<Runnable> before = waiting.get(place);
        if (before != null) {
            before.add(work);
            return true;
        }
        var queue = new ArrayDeque<Runnable>();
        queue.add(work);
        waiting.put(place, queue);
        Thread.ofVirtual().name("slack-place").start(() -> drain(place, queue));
        return true;
    }

    private void drain(String place, Queue<Runnable> queue) {
        for (Runnable work = next(place, queue); work != null; work = next(place, queue)) {
            try {
                work.run();
            } finally {
                done();
            }
        }
    }

    private synchronized @Nullable Runnable next(String place, Queue<Runnable> queue) {
        Runnable work = queue.poll();
        if (work == null) {
            waiting.remove(place);
        }
        return work;
    }

    private synchronized void done() {
        count--;
    }
}

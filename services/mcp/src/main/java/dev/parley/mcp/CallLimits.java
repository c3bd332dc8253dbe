package dev.parley.mcp;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** How many requests are worked on at once: of all, and of each person, so that nobody takes all the room. */
final class CallLimits {
    private final int mostOfOne;
    private final Semaphore all;
    private final Map<String, Integer> working = new ConcurrentHashMap<>();

    CallLimits(int most, int mostOfOne) {
        this.all = new Semaphore(most);
        this.mostOfOne = mostOfOne;
    }

    /** Room for one request. */
    interface Room extends AutoCloseable {
        @Override
        void close();
    }

    /** Takes room for a request. @throws RpcException where there is none */
    Room take(String user) {
        if (!all.tryAcquire()) {
            throw RpcException.busy();
        }
        int mine = working.merge(user, 1, Integer::sum);
        Room room = () -> {
            working.computeIfPresent(user, (_, count) -> count == 1 ? null : count - 1);
            all.release();
        };
        if (mine > mostOfOne) {
            room.close();
            throw RpcException.busy();
        }
        return room;
    }
}

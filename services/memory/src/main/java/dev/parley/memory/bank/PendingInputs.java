package dev.parley.memory.bank;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.memory.RecallRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Inputs for banks that are loading: commands and results in the store, in order, so that they move with the partition;
 * recall requests in memory, as their callers do not wait long.
 */
final class PendingInputs {
    /** Maximum number of recall requests waiting for one bank. */
    private static final int MAX_REQUESTS = 100;

    /** Maximum number of inputs of one bank whose trace context is kept. */
    private static final int MAX_TRACES = 1_000;

    private final MemoryStore store;
    private final Map<RecordKey, Queue> queues = new LinkedHashMap<>();

    /**
     * An input that waited.
     *
     * @param trace its trace context; null where it had none, or arrived at another process
     */
    record Parked(MemoryInput input, @Nullable String trace) {}

    /** The backlog of one bank: inputs with these numbers, and recall requests. */
    private static final class Queue {
        private long first;
        private long next;
        private final Map<Long, String> traces = new HashMap<>();
        private final List<RecallRequest> requests = new ArrayList<>();
    }

    /** Loads the inputs that wait in the store. */
    PendingInputs(MemoryStore store) {
        this.store = store;
        store.eachParked((key, number) -> {
            Queue queue = queues.computeIfAbsent(key, _ -> new Queue());
            queue.first = queue.next == 0 ? number : Math.min(queue.first, number);
            queue.next = Math.max(queue.next, number + 1);
        });
    }

    /** Whether anything waits for a bank. */
    boolean contains(RecordKey key) {
        return queues.containsKey(key);
    }

    /** The banks with a backlog. */
    List<RecordKey> banks() {
        return List.copyOf(queues.keySet());
    }

    /** Waits for a bank without an input, for its timer. */
    void add(RecordKey key) {
        queues.computeIfAbsent(key, _ -> new Queue());
    }

    /** Appends an input. */
    void add(RecordKey key, MemoryInput input, @Nullable String trace) {
        Queue queue = queues.computeIfAbsent(key, _ -> new Queue());
        if (trace != null && queue.traces.size() < MAX_TRACES) {
            queue.traces.put(queue.next, trace);
        }
        store.park(key, queue.next++, input);
    }

    /** Adds a recall request; false where too many wait. */
    boolean add(RecordKey key, RecallRequest request) {
        List<RecallRequest> requests = queues.computeIfAbsent(key, _ -> new Queue()).requests;
        return requests.size() < MAX_REQUESTS && requests.add(request);
    }

    /**
     * Removes and returns the oldest input that can be read.
     *
     * @param unreadable is given key and bytes of those that cannot
     */
    Optional<Parked> next(RecordKey key, BiConsumer<byte[], byte[]> unreadable) {
        Queue queue = queues.get(key);
        while (queue != null && queue.first < queue.next) {
            String trace = queue.traces.remove(queue.first);
            Optional<MemoryInput> input = store.unpark(key, queue.first++, unreadable);
            if (input.isPresent()) {
                return input.map(read -> new Parked(read, trace));
            }
        }
        return Optional.empty();
    }

    /**
     * Ends the wait for a bank.
     *
     * @return its recall requests
     */
    List<RecallRequest> remove(RecordKey key) {
        Queue queue = queues.remove(key);
        return queue == null ? List.of() : queue.requests;
    }

    /** Removes and returns the recall requests whose deadline is before a moment. */
    List<RecallRequest> removeExpired(Instant moment) {
        var expired = new ArrayList<RecallRequest>();
        queues.values()
                .forEach(queue -> queue.requests.removeIf(request -> {
                    boolean isExpired = request.deadline().isBefore(moment);
                    if (isExpired) {
                        expired.add(request);
                    }
                    return isExpired;
                }));
        return expired;
    }
}

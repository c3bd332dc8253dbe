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
import org.jspecify.annotations.Nullable;

/**
 * Inputs for banks that are loading: commands and results in the store, in order, so that they move with the partition;
 * recall requests in memory, as their callers do not wait long.
 */
final class PendingInputs {
    /** Maximum number of recall requests waiting for one bank. */
    private static final int MAX_QUESTIONS = 100;

    /** Maximum number of inputs of one bank whose trace context is kept. */
    private static final int MAX_TRACES = 1_000;

    private final MemoryStore store;
    private final Map<RecordKey, Place> places = new LinkedHashMap<>();

    /**
     * An input that waited.
     *
     * @param trace its trace context; null where it had none, or arrived at another process
     */
    record Parked(MemoryInput input, @Nullable String trace) {}

    /** What waits for one bank: inputs with these numbers, and recall requests. */
    private static final class Place {
        private long first;
        private long next;
        private final Map<Long, String> traces = new HashMap<>();
        private final List<RecallRequest> questions = new ArrayList<>();
    }

    /** Loads the inputs that wait in the store. */
    PendingInputs(MemoryStore store) {
        this.store = store;
        store.eachParked((key, number) -> {
            Place place = places.computeIfAbsent(key, _ -> new Place());
            place.first = place.next == 0 ? number : Math.min(place.first, number);
            place.next = Math.max(place.next, number + 1);
        });
    }

    /** Whether anything waits for a bank. */
    boolean waits(RecordKey key) {
        return places.containsKey(key);
    }

    /** The banks that something waits for. */
    List<RecordKey> banks() {
        return List.copyOf(places.keySet());
    }

    /** Waits for a bank without an input, for its timer. */
    void add(RecordKey key) {
        places.computeIfAbsent(key, _ -> new Place());
    }

    /** Appends an input. */
    void add(RecordKey key, MemoryInput input, @Nullable String trace) {
        Place place = places.computeIfAbsent(key, _ -> new Place());
        if (trace != null && place.traces.size() < MAX_TRACES) {
            place.traces.put(place.next, trace);
        }
        store.park(key, place.next++, input);
    }

    /** Adds a recall request; false where too many wait. */
    boolean add(RecordKey key, RecallRequest question) {
        List<RecallRequest> questions = places.computeIfAbsent(key, _ -> new Place()).questions;
        return questions.size() < MAX_QUESTIONS && questions.add(question);
    }

    /** Removes and returns the oldest input. */
    Optional<Parked> next(RecordKey key) {
        Place place = places.get(key);
        return place == null || place.first == place.next
                ? Optional.empty()
                : Optional.of(new Parked(store.unpark(key, place.first), place.traces.remove(place.first++)));
    }

    /**
     * Nothing waits for this bank any more.
     *
     * @return the recall requests that did
     */
    List<RecallRequest> end(RecordKey key) {
        Place place = places.remove(key);
        return place == null ? List.of() : place.questions;
    }

    /** Removes and returns the recall requests whose deadline is before a moment. */
    List<RecallRequest> questionsUntil(Instant moment) {
        var taken = new ArrayList<RecallRequest>();
        places.values()
                .forEach(place -> place.questions.removeIf(question -> {
                    boolean late = question.deadline().isBefore(moment);
                    if (late) {
                        taken.add(question);
                    }
                    return late;
                }));
        return taken;
    }
}

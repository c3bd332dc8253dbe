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
 * What waits for banks that are being filled: inputs in the store, in their order, so that they are there wherever the partition
 * goes; questions in memory, for nobody waits long for their answers.
 */
final class PendingInputs {
    /** Questions to one bank that wait; those above are not taken. */
    private static final int MOST_QUESTIONS = 100;

    /** Inputs to one bank whose traces are kept; they are for whoever looks at the process. */
    private static final int MOST_TRACES = 1_000;

    private final MemoryStore store;
    private final Map<RecordKey, Place> places = new LinkedHashMap<>();

    /**
     * An input that has waited.
     *
     * @param trace in which it came; null where it had none, or came to another process
     */
    record Parked(MemoryInput input, @Nullable String trace) {}

    /** What waits for one bank: inputs with these numbers, and questions. */
    private static final class Place {
        private long first;
        private long next;
        private final Map<Long, String> traces = new HashMap<>();
        private final List<RecallRequest> questions = new ArrayList<>();
    }

    /** With the inputs that wait in the store already. */
    PendingInputs(MemoryStore store) {
        this.store = store;
        store.eachParked((key, number) -> {
            Place place = places.computeIfAbsent(key, _ -> new Place());
            place.first = place.next == 0 ? number : Math.min(place.first, number);
            place.next = Math.max(place.next, number + 1);
        });
    }

    /** Whether somebody waits for a bank. */
    boolean waits(RecordKey key) {
        return places.containsKey(key);
    }

    /** The banks that somebody waits for. */
    List<RecordKey> banks() {
        return List.copyOf(places.keySet());
    }

    /** Waits for a bank, to look at it. */
    void add(RecordKey key) {
        places.computeIfAbsent(key, _ -> new Place());
    }

    /** Puts an input behind those that wait. */
    void add(RecordKey key, MemoryInput input, @Nullable String trace) {
        Place place = places.computeIfAbsent(key, _ -> new Place());
        if (trace != null && place.traces.size() < MOST_TRACES) {
            place.traces.put(place.next, trace);
        }
        store.park(key, place.next++, input);
    }

    /** Takes a question, where there is room for it. */
    boolean add(RecordKey key, RecallRequest question) {
        List<RecallRequest> questions = places.computeIfAbsent(key, _ -> new Place()).questions;
        return questions.size() < MOST_QUESTIONS && questions.add(question);
    }

    /** Takes the input out that has waited longest. */
    Optional<Parked> next(RecordKey key) {
        Place place = places.get(key);
        return place == null || place.first == place.next
                ? Optional.empty()
                : Optional.of(new Parked(store.unpark(key, place.first), place.traces.remove(place.first++)));
    }

    /** Nobody waits any more for this bank. @return the questions that did */
    List<RecallRequest> end(RecordKey key) {
        Place place = places.remove(key);
        return place == null ? List.of() : place.questions;
    }

    /** Takes the questions out that have to be answered before a moment. */
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

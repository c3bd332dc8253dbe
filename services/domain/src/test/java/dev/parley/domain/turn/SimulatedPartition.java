package dev.parley.domain.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A partition of Kafka: its records, and the committed position and steps. */
final class SimulatedPartition {
    private final List<Arrival> records = new ArrayList<>();
    private final Map<RecordKey, List<SimulatedSession.Step>> steps = new TreeMap<>();
    private int committed;
    private String owner = "";
    private @Nullable TaskDispatchDouble task;

    record Arrival(RecordKey to, TurnInput input, @Nullable String question) {}

    void append(Arrival record) {
        records.add(record);
    }

    Arrival record(int offset) {
        return records.get(offset);
    }

    int end() {
        return records.size();
    }

    int committed() {
        return committed;
    }

    /** The process that made the last commit. */
    String owner() {
        return owner;
    }

    void commit(int position, String process, List<SimulatedSession.Step> newSteps) {
        committed = position;
        owner = process;
        newSteps.forEach(step ->
                steps.computeIfAbsent(step.key(), _ -> new ArrayList<>()).add(step));
    }

    void eachSession(BiConsumer<RecordKey, List<SimulatedSession.Step>> to) {
        steps.forEach(to);
    }

    /** The task of its owner; null while it is not assigned. */
    @Nullable
    TaskDispatchDouble task() {
        return task;
    }

    void task(@Nullable TaskDispatchDouble owners) {
        task = owners;
    }
}

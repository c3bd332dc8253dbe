package dev.parley.memory.bank;

import dev.parley.domain.RecordKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;

/**
 * Events that are forgotten and still to be erased, in the store: a bank may have a million of them, and a transaction is short. They
 * go from the newest one to the oldest, so that the bank can be filled with the others at any time: what is left of them is a beginning.
 */
final class PendingErasures {
    private final MemoryStore store;
    private final int portion;
    private final ObjLongConsumer<RecordKey> eraser;
    private final Map<RecordKey, NavigableSet<Long>> portions = new LinkedHashMap<>();

    /**
     * With what stands in the store already.
     *
     * @param portion most events that are erased without a look at the clock
     * @param eraser erases an event
     */
    PendingErasures(MemoryStore store, int portion, ObjLongConsumer<RecordKey> eraser) {
        this.store = store;
        this.portion = portion;
        this.eraser = eraser;
        store.eachErasing((key, number) -> of(key).add(number));
    }

    private NavigableSet<Long> of(RecordKey key) {
        return portions.computeIfAbsent(key, _ -> new TreeSet<>());
    }

    /** Erases events now where they are few, else some at a time. @param events their numbers, the oldest first */
    void add(RecordKey key, List<Long> events) {
        if (events.size() <= portion) {
            events.reversed().forEach(event -> eraser.accept(key, event));
            return;
        }
        NavigableSet<Long> its = of(key);
        long first = its.isEmpty() ? 0 : its.last() + 1;
        for (int from = 0; from < events.size(); from += portion) {
            long number = first++;
            its.add(number);
            store.keepErasing(key, number, events.subList(from, Math.min(events.size(), from + portion)));
        }
    }

    /**
     * Erases some.
     *
     * @param may whether the events of a bank may change now
     * @return whether it erased any
     */
    boolean goOn(Predicate<RecordKey> may, BooleanSupplier isTime) {
        boolean some = false;
        for (Iterator<Map.Entry<RecordKey, NavigableSet<Long>>> all =
                        portions.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<RecordKey, NavigableSet<Long>> entry = all.next();
            RecordKey key = entry.getKey();
            NavigableSet<Long> its = entry.getValue();
            while (!its.isEmpty() && may.test(key) && isTime.getAsBoolean()) {
                long number = its.removeLast();
                store.erasing(key, number).reversed().forEach(event -> eraser.accept(key, event));
                store.erased(key, number);
                some = true;
            }
            if (its.isEmpty()) {
                all.remove();
            }
        }
        return some;
    }
}

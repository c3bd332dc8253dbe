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
 * Events still to be erased, stored in portions: a bank may have a million of them, and transactions are short. They
 * are erased from newest to oldest, so that the bank can be loaded at any time: what is left is a prefix.
 */
final class PendingErasures {
    private final MemoryStore store;
    private final int portion;
    private final ObjLongConsumer<RecordKey> eraser;
    private final Map<RecordKey, NavigableSet<Long>> portions = new LinkedHashMap<>();

    /**
     * Loads what is in the store.
     *
     * @param portion maximum number of events erased between checks of the time
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

    /**
     * Erases a few events immediately, many in portions.
     *
     * @param events their sequence numbers, ascending
     */
    void add(RecordKey key, List<Long> events) {
        if (events.size() <= portion) {
            events.reversed().forEach(event -> eraser.accept(key, event));
            return;
        }
        NavigableSet<Long> numbers = of(key);
        long first = numbers.isEmpty() ? 0 : numbers.last() + 1;
        for (int from = 0; from < events.size(); from += portion) {
            long number = first++;
            numbers.add(number);
            store.putErasing(key, number, events.subList(from, Math.min(events.size(), from + portion)));
        }
    }

    /**
     * Erases some portions.
     *
     * @param mayErase whether the events of a bank may change now
     * @return whether any were erased
     */
    boolean resume(Predicate<RecordKey> mayErase, BooleanSupplier isTime) {
        boolean erased = false;
        for (Iterator<Map.Entry<RecordKey, NavigableSet<Long>>> iterator =
                        portions.entrySet().iterator();
                iterator.hasNext(); ) {
            Map.Entry<RecordKey, NavigableSet<Long>> entry = iterator.next();
            RecordKey key = entry.getKey();
            NavigableSet<Long> numbers = entry.getValue();
            while (!numbers.isEmpty() && mayErase.test(key) && isTime.getAsBoolean()) {
                long number = numbers.removeLast();
                store.erasing(key, number).reversed().forEach(event -> eraser.accept(key, event));
                store.removeErasing(key, number);
                erased = true;
            }
            if (numbers.isEmpty()) {
                iterator.remove();
            }
        }
        return erased;
    }
}

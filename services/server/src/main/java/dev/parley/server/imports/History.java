package dev.parley.server.imports;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;

/**
 * The newest messages of an imported session, up to the limits of a session; older turns are dropped while reading, so
 * that memory is bounded.
 */
final class History {
    /** Most characters of JSON; a session takes 1 MiB. */
    static final int HEAVIEST = 1_000_000;

    /** Most messages; a session takes 10,000. */
    static final int MOST = 9_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final int factor;
    private long weight;
    private long dropped;

    /** @param factor how often a session counts what stands in a message: twice where it is kept beside what is read of it */
    History(int factor) {
        this.factor = factor;
    }

    private record Entry(long id, ObjectNode message, boolean begins, int weight) {}

    /**
     * Adds a message.
     *
     * @param id of its row, ascending
     * @param begins whether a person says it, which begins a turn
     */
    void add(long id, ObjectNode message, boolean begins) {
        int weighs = message.toString().length() * factor;
        entries.add(new Entry(id, message, begins, weighs));
        weight += weighs;
        while (weight > HEAVIEST || entries.size() > MOST) {
            dropOldestTurn();
        }
    }

    private void dropOldestTurn() {
        do {
            drop(entries.removeFirst());
            dropped++;
        } while (!entries.isEmpty() && !entries.getFirst().begins());
    }

    private void drop(Entry entry) {
        weight -= entry.weight();
    }

    /** Takes back what came after a row. */
    void rewindTo(long id) {
        while (!entries.isEmpty() && entries.getLast().id() > id) {
            drop(entries.removeLast());
        }
    }

    /** Takes back the last turn. */
    void dropLastTurn() {
        boolean begun = false;
        while (!entries.isEmpty() && !begun) {
            begun = entries.getLast().begins();
            drop(entries.removeLast());
        }
    }

    /** Forgets all of it. */
    void clear() {
        entries.clear();
        weight = 0;
        dropped = 0;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** How many messages had no room. */
    long dropped() {
        return dropped;
    }

    /** The messages, the oldest first. */
    ArrayNode messages() {
        ArrayNode messages = JSON.createArrayNode();
        entries.forEach(entry -> messages.add(entry.message()));
        return messages;
    }
}

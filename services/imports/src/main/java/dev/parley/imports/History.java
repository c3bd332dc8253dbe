package dev.parley.imports;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import java.util.ArrayDeque;

/**
 * The newest messages of an imported session, up to the limits of a session; older turns are dropped while reading, so
 * that memory is bounded.
 */
final class History {
    /** Maximum number of characters of JSON; a session takes 1 MiB. */
    static final int MAX_CHARACTERS = 1_000_000;

    /** Maximum number of messages; a session takes 10,000. */
    static final int MAX_MESSAGES = 9_000;

    private static final ObjectMapper JSON = JsonMappers.stored();

    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final int factor;
    private long weight;
    private long dropped;

    /**
     * @param factor weight of a character of a message in a session: 2 for formats that are stored both raw and parsed
     */
    History(int factor) {
        this.factor = factor;
    }

    private record Entry(long id, ObjectNode message, boolean startsTurn, int weight) {}

    /**
     * Adds a message.
     *
     * @param id of its row, ascending
     * @param startsTurn whether the message begins a turn, as messages of users do
     */
    void add(long id, ObjectNode message, boolean startsTurn) {
        int added = message.toString().length() * factor;
        entries.add(new Entry(id, message, startsTurn, added));
        weight += added;
        while (weight > MAX_CHARACTERS || entries.size() > MAX_MESSAGES) {
            dropOldestTurn();
        }
    }

    private void dropOldestTurn() {
        do {
            drop(entries.removeFirst());
            dropped++;
        } while (!entries.isEmpty() && !entries.getFirst().startsTurn());
    }

    private void drop(Entry entry) {
        weight -= entry.weight();
    }

    /** Removes the messages after a row. */
    void rewindTo(long id) {
        while (!entries.isEmpty() && entries.getLast().id() > id) {
            drop(entries.removeLast());
        }
    }

    /** Removes the last turn. */
    void dropLastTurn() {
        boolean startRemoved = false;
        while (!entries.isEmpty() && !startRemoved) {
            startRemoved = entries.getLast().startsTurn();
            drop(entries.removeLast());
        }
    }

    /** Removes all messages. */
    void clear() {
        entries.clear();
        weight = 0;
        dropped = 0;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** The number of messages dropped for the limits. */
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

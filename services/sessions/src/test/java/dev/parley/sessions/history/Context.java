package dev.parley.sessions.history;

import dev.parley.domain.content.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The context of a session as it grows: messages join it, and resets cut it, mark it, or go back to a mark. */
final class Context {
    /** @param start when the message's turn began, as a place among all that happened */
    private record Item(long start, Message message) {}

    private record Mark(@Nullable String summary, List<Item> items) {}

    private final Map<String, Mark> marks = new HashMap<>();
    private List<Item> items = new ArrayList<>();
    private @Nullable String summary;
    private @Nullable Mark reverted;

    void add(long start, Message message) {
        reverted = null;
        items.add(new Item(start, message));
    }

    void clear() {
        reverted = null;
        items = new ArrayList<>();
        summary = null;
    }

    /** Nothing is left to go back to. */
    void forget() {
        clear();
        marks.clear();
    }

    /** A fork's context takes the place of this one. */
    void seed(@Nullable String text) {
        forget();
        summary = text;
    }

    void mark(String label) {
        marks.put(label, new Mark(summary, List.copyOf(items)));
    }

    /** Goes back to a mark; without it nothing happens. */
    void rewind(String label) {
        Mark mark = marks.get(label);
        reverted = null;
        if (mark != null) {
            items = new ArrayList<>(mark.items());
            summary = mark.summary();
        }
    }

    /** The turn that began there is taken back. */
    void undo(long start) {
        reverted = null;
        items.removeIf(item -> item.start() == start);
    }

    /** The turn that began there and all that follow are taken back, for the time being. */
    void revert(long start) {
        if (reverted == null) {
            reverted = new Mark(summary, List.copyOf(items));
        }
        items.removeIf(item -> item.start() >= start);
    }

    /** What was taken back is there again. */
    void unrevert() {
        if (reverted != null) {
            items = new ArrayList<>(reverted.items());
            summary = reverted.summary();
            reverted = null;
        }
    }

    /** All turns that began no later than this are shown as a summary. */
    void summarise(String text, long start) {
        items.removeIf(item -> item.start() <= start);
        summary = text;
    }

    Conversation conversation(int unreadable) {
        return new Conversation(summary, items.stream().map(Item::message).toList(), unreadable);
    }
}

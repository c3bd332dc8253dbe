package dev.parley.domain.protocol;

import dev.parley.domain.content.Message;
import dev.parley.domain.definition.ToolSpec;
import java.util.List;
import java.util.UUID;

/**
 * One message of a session's context, as the store keeps it: an entry an item, never a whole history in one record.
 *
 * @param tools those that the caller brought with it, where it began a turn: who has that answered again has them again
 */
public record Entry(UUID turnId, long turnSeq, Message message, List<ToolSpec> tools) {
    public Entry {
        tools = List.copyOf(tools);
    }

    /** A message that brought no tools. */
    public Entry(UUID turnId, long turnSeq, Message message) {
        this(turnId, turnSeq, message, List.of());
    }

    /** About how many bytes it weighs in a request, with its tools. */
    public int weight() {
        return message.weight() + tools.stream().mapToInt(ToolSpec::weight).sum();
    }

    /** The same for another session, where nobody has it answered again. */
    public Entry copied() {
        return new Entry(turnId, turnSeq, message);
    }
}

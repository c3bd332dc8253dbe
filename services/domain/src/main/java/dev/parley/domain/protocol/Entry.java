package dev.parley.domain.protocol;

import dev.parley.domain.content.Message;
import dev.parley.domain.definition.ToolSpec;
import java.util.List;
import java.util.UUID;

/**
 * One message of a session's context, stored as one record.
 *
 * @param tools tools that the caller passed with the turn that this message started: retrying the turn restores them
 */
public record Entry(UUID turnId, long turnSeq, Message message, List<ToolSpec> tools) {
    public Entry {
        tools = List.copyOf(tools);
    }

    /** A message without caller's tools. */
    public Entry(UUID turnId, long turnSeq, Message message) {
        this(turnId, turnSeq, message, List.of());
    }

    /** Approximate size in a request in bytes, including its tools. */
    public int weight() {
        return message.weight() + tools.stream().mapToInt(ToolSpec::weight).sum();
    }

    /** This entry for another session, where turns are not retried. */
    public Entry forOtherSession() {
        return new Entry(turnId, turnSeq, message);
    }
}

package dev.parley.sessions.history;

import dev.parley.domain.content.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a model is shown of a session.
 *
 * @param summary what stands for older turns, or null
 * @param messages in the order in which the model saw them
 * @param unreadable messages that were left out because their rows are broken
 */
public record Conversation(@Nullable String summary, List<Message> messages, int unreadable) {
    public Conversation {
        messages = List.copyOf(messages);
    }
}

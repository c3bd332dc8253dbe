package dev.parley.memory.search;

/**
 * The position of a message in a conversation, for finding adjacent messages.
 *
 * @param session the conversation
 * @param position number of the message, shared by all its passages
 */
public record MessagePosition(String session, long position) {
    /** The position {@code by} messages later. */
    public MessagePosition plus(int by) {
        return new MessagePosition(session, position + by);
    }
}

package dev.parley.memory.search;

/**
 * Where in a conversation something was said: what was said before and after it belongs to its meaning.
 *
 * @param session the conversation
 * @param position of the message in it, counted one by one; the pieces of a message have the same
 */
public record MessagePosition(String session, long position) {
    /** The place so many messages later, or earlier. */
    public MessagePosition moved(int by) {
        return new MessagePosition(session, position + by);
    }
}

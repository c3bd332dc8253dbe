package dev.parley.memory.search;

/**
 * Where in a conversation something was said: what was said before and after it belongs to its meaning.
 *
 * @param session the conversation
 * @param position of the message in it, counted one by one; the pieces of a message have the same
 */
public record Place(String session, long position) {
    /** The place so many messages later, or earlier. */
    public Place moved(int by) {
        return new Place(session, position + by);
    }
}

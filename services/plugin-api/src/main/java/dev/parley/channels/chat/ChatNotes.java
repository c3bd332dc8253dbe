package dev.parley.channels.chat;

import java.util.Optional;

/**
 * A line that a bot keeps about each of its chats, for channels that have to know more of a chat than its address, such
 * as where to send to. All instances share it. Methods throw {@link IllegalStateException} while the database does not
 * answer.
 */
public interface ChatNotes {

    /**
     * Stores the note of a chat in place of the one before.
     *
     * @param chat as in an address
     * @param note 1 to 1,000 characters, no secret
     */
    void write(String chat, String note);

    /** The note of a chat; empty where none was stored. */
    Optional<String> read(String chat);
}

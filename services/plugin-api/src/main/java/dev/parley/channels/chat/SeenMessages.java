package dev.parley.channels.chat;

import java.util.Map;
import java.util.Optional;

/**
 * The last message that a bot received from each chat, for channels that fetch what they missed, or may answer for a
 * time only. All instances share it. Methods throw {@link IllegalStateException} while the database does not answer.
 */
public interface SeenMessages {

    /**
     * Stores the last message of a chat.
     *
     * @param chat as in an address
     * @param message id of it, as a reference: 1 to 126 printable ASCII characters without spaces
     */
    void record(String chat, String message);

    /** The last message of one chat; empty where none was stored. */
    Optional<String> last(String chat);

    /** The last message by chat, of the 1,000 chats with the newest. */
    Map<String, String> last();
}

package dev.parley.channels.contract;

import java.util.Map;
import java.util.Optional;

/** State of chats, shared by all instances. */
public interface ChatState {

    /** Sets whether the bot can write to a conversation. */
    void setWritable(ConversationAddress address, boolean writable);

    /** A chat has a new id, and keeps its sessions. */
    void moveChat(String bot, String from, String to);

    /** The person of a private chat has a new id, and keeps admission by code and linked account. */
    void movePerson(String bot, String from, String to);

    /** Records the last message received, for channels that do not redeliver. */
    void recordSeen(ConversationAddress address, String message);

    /** The last message received from a chat, if there is one. */
    Optional<String> lastSeenMessage(ConversationAddress address);

    /** The last message received, by chat, of the chats with the newest messages. */
    Map<String, String> lastSeenMessages(String bot);

    /** Records what the channel has to know of a chat besides its id: at most 1,000 characters. */
    void recordNote(ConversationAddress address, String note);

    /** The note of a chat; empty where none was recorded. */
    Optional<String> note(ConversationAddress address);
}

package dev.parley.channels.contract;

import java.util.Map;

/** What is remembered of chats, by all instances together. */
public interface Memory {

    /** Whether the bot can write to a place from now on. */
    void writable(ConversationAddress address, boolean writable);

    /** A chat has another id from now on, and keeps its sessions. */
    void moved(String bot, String from, String to);

    /** What was taken in last at a place, as the channel names messages: for channels that do not bring again what was not taken. */
    void seen(ConversationAddress address, String message);

    /** What was taken in last, by chat; of the chats with the newest messages. */
    Map<String, String> seen(String bot);
}

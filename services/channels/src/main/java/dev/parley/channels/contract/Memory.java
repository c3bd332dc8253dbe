package dev.parley.channels.contract;

/** What is remembered of chats, by all instances together. */
public interface Memory {

    /** Whether the bot can write to a place from now on. */
    void writable(ConversationAddress address, boolean writable);

    /** A chat has another id from now on, and keeps its sessions. */
    void moved(String bot, String from, String to);
}

package dev.parley.channels.contract;

import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.ChatSide;
import java.util.Optional;

/**
 * A bot of a plug-in's channel: its configuration, and where the channel delivers what it receives. Parley authorises
 * senders, and acknowledges a message only when it is stored durably. Thread-safe.
 */
public interface ChannelBot extends ConfiguredBot {

    /**
     * Delivers a message. Returns within 30 seconds, when the message is stored, rejected, or neither is known.
     * Idempotent: the same reference in the same conversation is the same turn.
     */
    Taken take(InboundMessage message) throws InterruptedException;

    /**
     * Delivers a command about a conversation; returns as {@link #take} does.
     *
     * @param reference the channel's own id of the request; idempotency key
     */
    Taken command(ConversationAddress address, String reference, Sender sender, Command command)
            throws InterruptedException;

    /**
     * Sends a text of the bot itself to a conversation, in order with the conversation's other messages.
     *
     * @param reference the channel's own id of what is answered; idempotency key
     */
    Taken answer(ConversationAddress address, String reference, String text) throws InterruptedException;

    /**
     * Records what became of a message of this bot. Idempotent. A report about a message that Parley does not know has
     * no effect.
     */
    Taken report(DeliveryReport report) throws InterruptedException;

    /**
     * The chats of this bot, for channels where people talk to it as on a chat platform. Such a channel hands over
     * {@link dev.parley.channels.chat.Event}s instead of messages and commands. Called once by each receiver: what it
     * remembers of the chats, such as whom it has told that they are not admitted, belongs to the result.
     */
    BotChats chats(ChatSide side);

    /**
     * The problem that prevents receiving now, such as a missing project; empty for none. Until it has passed, messages
     * stay with the other side.
     */
    Optional<String> problem();

    /** A request of a user about a conversation. */
    enum Command {
        /** Cancels the active turn. */
        STOP,
        /** Starts a new conversation under the same key. */
        NEW,
        /** Reverts the last exchange. */
        UNDO,
        /** Permanently deletes what the agent remembers about the user. */
        FORGET
    }
}

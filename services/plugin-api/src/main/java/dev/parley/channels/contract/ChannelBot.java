package dev.parley.channels.contract;

import java.util.Map;

/**
 * A bot of a plug-in's channel: its configuration, and where the channel delivers what it receives. Parley authorises
 * senders, and acknowledges a message only when it is stored durably. Thread-safe.
 */
public interface ChannelBot {

    /** The bot's name, which is the {@link ConversationAddress#bot} of all its conversations. */
    String name();

    /** The bot's {@code settings} as configured by the operator; numbers and booleans are strings. */
    Map<String, String> settings();

    /** Whether the operator enabled streaming of growing answers. */
    boolean streams();

    /**
     * The bot's current token. It can be rotated: read it for each use instead of caching it.
     *
     * @throws IllegalStateException if there is none; the message contains the reference, never the token
     */
    String token();

    /**
     * Resolves a further secret, whose reference ({@code env:NAME}, {@code file:PATH}, {@code vault:PATH#FIELD}) is the
     * value of this setting.
     *
     * @throws IllegalStateException if there is none; the message contains the reference, never the secret
     */
    String secret(String setting);

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

package dev.parley.channels.contract;

import java.util.Map;

/**
 * A bot of a plug-in's channel, and what the channel may do in its name. Parley judges who may talk, and makes sure that a
 * message is safe before it says so. For any number of threads.
 */
public interface ChannelBot {

    /** Its name: {@link ConversationAddress#bot} of all its conversations. */
    String name();

    /** Its {@code settings} as the operator wrote them; numbers and truth values are texts. */
    Map<String, String> settings();

    /** Whether the operator wants answers to be shown while they grow. */
    boolean streams();

    /**
     * Its token as it is at this moment: read it for each use rather than keep it.
     *
     * @throws IllegalStateException where there is none; the message names the reference, never the token
     */
    String token();

    /**
     * A further secret, whose reference ({@code env:NAME}, {@code file:PATH}, {@code vault:PATH#FIELD}) is this setting.
     *
     * @throws IllegalStateException where there is none; the message names the reference, never the secret
     */
    String secret(String setting);

    /**
     * Takes in what somebody says, and returns when that is safe, refused or neither; within half a minute. The same
     * reference in the same conversation is the same turn, however often it is given.
     */
    Taken take(InboundMessage message) throws InterruptedException;

    /**
     * Gives a command about a conversation, and returns as {@link #take} does.
     *
     * @param reference the channel's own name for what asked for it: the same twice is one command
     */
    Taken command(ConversationAddress address, String reference, Sender sender, Command command)
            throws InterruptedException;

    /**
     * Has the bot itself say something, in its turn with all that is said there.
     *
     * @param reference the channel's own name for what is answered: the same twice is answered once
     */
    Taken answer(ConversationAddress address, String reference, String text) throws InterruptedException;

    /** What a person can ask of a conversation besides talking. */
    enum Command {
        /** Cancels the active turn. */
        STOP,
        /** Begins a new conversation under the same key. */
        NEW,
        /** Takes the last exchange back. */
        UNDO,
        /** Has the agent forget what is remembered of whoever asks, for good. */
        FORGET
    }
}

package dev.parley.channels.chat;

import dev.parley.channels.contract.Taken;

/**
 * The chats of a bot, handled as those of Parley's own platforms: who is admitted and by which code, commands and their
 * translations, linked accounts, answers to workflow tasks, buttons, edits. Refusals are told in the chat. Thread-safe.
 */
public interface BotChats {

    /**
     * Handles an event. Returns when what it says is stored durably, or when it has no effect.
     *
     * @param reference the other side's id of it, the same on redelivery: 1 to 126 printable ASCII characters without
     *     spaces
     * @param revision of an edited message, the other side's id of the edit; may be empty otherwise
     * @return {@link Taken.NotSafe} where the event has to be handled again
     */
    Taken handle(Event event, String reference, String revision) throws InterruptedException;

    /** The data of the bot's buttons. */
    Buttons buttons();
}

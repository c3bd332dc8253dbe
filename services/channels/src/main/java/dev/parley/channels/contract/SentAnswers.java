package dev.parley.channels.contract;

import java.util.Optional;
import java.util.UUID;

/** Which turn a message of a bot belongs to. */
public interface SentAnswers {
    /**
     * A message of a bot.
     *
     * @param address of the conversation, with its topic
     * @param turn the turn whose reply it shows, or the event that the bot itself answered
     */
    record SentAnswer(ConversationAddress address, UUID turn) {}

    /**
     * The message with this reference of the channel; empty where the bot did not send it within the last 14 days.
     *
     * @throws IllegalStateException while the database does not answer
     */
    Optional<SentAnswer> find(String bot, String chat, String message);
}

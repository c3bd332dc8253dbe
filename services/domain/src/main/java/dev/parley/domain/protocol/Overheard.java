package dev.parley.domain.protocol;

import dev.parley.language.text.Clip;
import java.time.Instant;

/**
 * A message of a group that is not for the bot.
 *
 * @param reference the channel's own id of the message
 * @param speaker display name, chosen by the person
 * @param text at most {@value #MAX_TEXT} characters, longer ones are cut; empty for a message that was deleted
 * @param at when it was said
 */
public record Overheard(String reference, String speaker, String text, Instant at) {
    /** Maximum characters of one text. */
    public static final int MAX_TEXT = 2_000;

    private static final int MAX_SPEAKER = 200;

    public Overheard {
        text = Clip.start(text, MAX_TEXT);
        speaker = Clip.start(speaker, MAX_SPEAKER);
    }

    /** Whether the message was deleted in the chat. */
    public boolean isDeleted() {
        return text.isEmpty();
    }
}

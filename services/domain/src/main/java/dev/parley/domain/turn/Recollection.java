package dev.parley.domain.turn;

import dev.parley.domain.turn.SessionState.ToolCall;
import org.jspecify.annotations.Nullable;

/**
 * What a turn is reminded of.
 *
 * @param step number of the model call that waits for it
 * @param heard how many of the messages that came in it was looked for: the turn's own, and those that joined
 * @param words what these messages say
 * @param asked the call by which memory is asked, or null
 * @param found what was found, as the model is shown it; empty for nothing
 * @param quotes whether the agent asked memory itself: what it says after that may be what is remembered already
 */
public record Recollection(
        int step, int heard, String words, @Nullable ToolCall asked, String found, boolean quotes) {
    static final Recollection NONE = new Recollection(0, 0, "", null, "", false);

    Recollection asking(int number, int messages, String all, ToolCall call) {
        return new Recollection(number, messages, all, call, found, quotes);
    }

    Recollection with(@Nullable ToolCall call) {
        return new Recollection(step, heard, words, call, found, quotes);
    }

    Recollection finding(String text) {
        return new Recollection(step, heard, words, null, text, quotes);
    }

    /** The first message that joined stands in the context, where it did. */
    Recollection joined(boolean did) {
        return did && heard > 1 ? new Recollection(step, heard - 1, words, asked, found, quotes) : this;
    }

    /** The agent has asked memory. */
    Recollection quoting() {
        return new Recollection(step, heard, words, asked, found, true);
    }
}

package dev.parley.domain.turn;

import dev.parley.domain.turn.SessionState.ToolCall;
import org.jspecify.annotations.Nullable;

/**
 * What a turn is reminded of.
 *
 * @param heard how many of the messages that came in it was looked for: the turn's own, and those that joined
 * @param words what these messages say
 * @param asked the call by which memory is asked, or null
 * @param found what was found, as the model is shown it; empty for nothing
 */
public record Recollection(
        int heard, String words, @Nullable ToolCall asked, String found) {
    static final Recollection NONE = new Recollection(0, "", null, "");

    Recollection asking(int messages, String all, ToolCall call) {
        return new Recollection(messages, all, call, found);
    }

    Recollection with(@Nullable ToolCall call) {
        return new Recollection(heard, words, call, found);
    }

    Recollection finding(String text) {
        return new Recollection(heard, words, null, text);
    }

    /** The first message that joined stands in the context, where it did. */
    Recollection joined(boolean did) {
        return did && heard > 1 ? new Recollection(heard - 1, words, asked, found) : this;
    }
}

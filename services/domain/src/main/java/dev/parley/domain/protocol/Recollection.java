package dev.parley.domain.protocol;

import io.soabase.recordbuilder.core.RecordBuilder;
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
@RecordBuilder
public record Recollection(
        int step, int heard, String words, @Nullable ToolCall asked, String found, boolean quotes)
        implements RecollectionBuilder.With {
    public static final Recollection NONE = new Recollection(0, 0, "", null, "", false);

    /** Memory is asked. */
    public Recollection asking(int number, int messages, String all, ToolCall call) {
        return with().step(number).heard(messages).words(all).asked(call).build();
    }

    /** Memory answered. */
    public Recollection finding(String text) {
        return with().asked(null).found(text).build();
    }

    /** The first message that joined stands in the context, where it did. */
    public Recollection joined(boolean did) {
        return did && heard > 1 ? withHeard(heard - 1) : this;
    }

    /** The agent has asked memory. */
    public Recollection quoting() {
        return withQuotes(true);
    }
}

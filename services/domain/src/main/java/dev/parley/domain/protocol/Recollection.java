package dev.parley.domain.protocol;

import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The state of recall in a turn.
 *
 * @param step number of the model call that waits for it
 * @param heard number of inputs covered by the query: the turn's own, and those that joined
 * @param words text of these inputs
 * @param asked the pending recall call, or null
 * @param found recalled memories as shown to the model; may be empty
 * @param quotes whether the agent itself has queried memory: its later answers may repeat existing memories
 */
@RecordBuilder
public record Recollection(
        int step, int heard, String words, @Nullable ToolCall asked, String found, boolean quotes)
        implements RecollectionBuilder.With {
    public static final Recollection NONE = new Recollection(0, 0, "", null, "", false);

    /** Recall is in progress. */
    public Recollection recallRequested(int number, int messages, String text, ToolCall call) {
        return with().step(number).heard(messages).words(text).asked(call).build();
    }

    /** Recall has returned. */
    public Recollection recallReturned(String text) {
        return with().asked(null).found(text).build();
    }

    /** The first message that joined is now in the context, if {@code did}. */
    public Recollection messageJoined(boolean did) {
        return did && heard > 1 ? withHeard(heard - 1) : this;
    }

    /** The agent has queried memory. */
    public Recollection memoryQueried() {
        return withQuotes(true);
    }
}

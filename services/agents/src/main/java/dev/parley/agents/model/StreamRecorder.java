package dev.parley.agents.model;

import dev.parley.agents.model.wire.Pieces;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.TurnDelta;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a model was heard to say: passed on to those who watch, and kept for the case that it never finishes. */
final class StreamRecorder implements ModelStream {
    private final @Nullable DeltaSender watchers;
    private final StringBuilder text = new StringBuilder();

    /** @param watchers who is shown it, or null for nobody */
    StreamRecorder(@Nullable DeltaSender watchers) {
        this.watchers = watchers;
    }

    @Override
    public void text(String piece) {
        synchronized (text) {
            text.append(piece);
        }
        if (watchers != null) {
            watchers.text(piece);
        }
    }

    @Override
    public void reasoning(String piece) {
        if (watchers != null) {
            watchers.reasoning(piece);
        }
    }

    @Override
    public void toolArguments(String toolCallId, String toolName, String piece) {
        if (watchers != null) {
            watchers.toolArguments(toolCallId, toolName, piece);
        }
    }

    /** The text so far, as a block, or nothing. Half a tool call and reasoning without its signature are of no use. */
    List<Block> partial() {
        synchronized (text) {
            return text.isEmpty() ? List.of() : List.of(Block.text(Pieces.whole(text.toString())));
        }
    }

    /** Whether nothing was said yet. */
    boolean isSilent() {
        synchronized (text) {
            return text.isEmpty();
        }
    }

    /** Waits until everybody can see all of it, but for the {@linkplain #rest rest}. */
    void finish() throws InterruptedException {
        if (watchers != null) {
            watchers.finish();
        }
    }

    /** What was not passed on: it goes with the answer. */
    List<TurnDelta> rest() {
        return watchers == null ? List.of() : watchers.rest();
    }

    /** Passes nothing more on. */
    void abandon() {
        if (watchers != null) {
            watchers.abandon();
        }
    }
}

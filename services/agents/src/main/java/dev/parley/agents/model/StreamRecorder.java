package dev.parley.agents.model;

import dev.parley.agents.model.wire.StreamedText;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.TurnDelta;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records the streamed text of a call, for calls that never finish, and forwards the stream to subscribers. */
final class StreamRecorder implements ModelStream {
    private final @Nullable DeltaSender subscribers;
    private final StringBuilder text = new StringBuilder();

    /** @param subscribers receives the stream, or null where it is not published */
    StreamRecorder(@Nullable DeltaSender subscribers) {
        this.subscribers = subscribers;
    }

    @Override
    public void text(String piece) {
        synchronized (text) {
            text.append(piece);
        }
        if (subscribers != null) {
            subscribers.text(piece);
        }
    }

    @Override
    public void reasoning(String piece) {
        if (subscribers != null) {
            subscribers.reasoning(piece);
        }
    }

    @Override
    public void toolArguments(String toolCallId, String toolName, String piece) {
        if (subscribers != null) {
            subscribers.toolArguments(toolCallId, toolName, piece);
        }
    }

    /** The text so far as a block; empty if there is none. Incomplete tool calls and unsigned reasoning are dropped. */
    List<Block> partial() {
        synchronized (text) {
            return text.isEmpty()
                    ? List.of()
                    : List.of(Block.text(StreamedText.replaceUnpairedSurrogates(text.toString())));
        }
    }

    /** Whether there is no text yet. */
    boolean isSilent() {
        synchronized (text) {
            return text.isEmpty();
        }
    }

    /** Waits until the stream is published, except for {@linkplain #unsent unsent deltas}. */
    void finish() throws InterruptedException {
        if (subscribers != null) {
            subscribers.finish();
        }
    }

    /** The deltas that were not published: the result carries them. */
    List<TurnDelta> unsent() {
        return subscribers == null ? List.of() : subscribers.unsent();
    }

    /** Stops publishing. */
    void abandon() {
        if (subscribers != null) {
            subscribers.abandon();
        }
    }
}

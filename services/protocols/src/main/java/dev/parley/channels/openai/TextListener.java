package dev.parley.channels.openai;

import dev.parley.channels.protocols.AnswerText;
import dev.parley.channels.protocols.AnswerText.Piece;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.domain.protocol.TurnDelta;
import org.jspecify.annotations.Nullable;

/** Listener that only receives the text of a turn, and its reasoning on request. */
abstract class TextListener implements TurnFollower.Listener {
    private final AnswerText text;
    private final @Nullable ReasoningText reasoning;

    TextListener(AnswerText text) {
        this(text, null);
    }

    /** @param reasoning null where none is shown */
    TextListener(AnswerText text, @Nullable ReasoningText reasoning) {
        this.text = text;
        this.reasoning = reasoning;
    }

    /** Discards the pieces: the answer is sent as a whole. */
    static TextListener discarding(AnswerText text) {
        return new TextListener(text) {
            @Override
            void onText(Piece piece) {}

            @Override
            public void onSilence() {}
        };
    }

    abstract void onText(Piece piece) throws InterruptedException;

    /** A piece of reasoning, where that is shown. */
    void onReasoning(Piece piece) throws InterruptedException {}

    @Override
    public final boolean onDelta(TurnDelta delta) throws InterruptedException {
        Piece thought = reasoning == null ? null : reasoning.add(delta);
        if (thought != null) {
            onReasoning(thought);
        }
        Piece piece = text.add(delta);
        if (piece != null) {
            onText(piece);
        }
        return thought != null || piece != null;
    }
}

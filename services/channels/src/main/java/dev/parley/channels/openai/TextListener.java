package dev.parley.channels.openai;

import dev.parley.channels.protocols.AnswerText;
import dev.parley.channels.protocols.AnswerText.Piece;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.domain.protocol.TurnDelta;

/** Listener that only receives the text of a turn. */
abstract class TextListener implements TurnFollower.Listener {
    private final AnswerText text;

    TextListener(AnswerText text) {
        this.text = text;
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

    @Override
    public final boolean onDelta(TurnDelta delta) throws InterruptedException {
        Piece piece = text.add(delta);
        if (piece != null) {
            onText(piece);
        }
        return piece != null;
    }
}

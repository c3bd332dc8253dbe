package dev.parley.channels.openai;

import dev.parley.channels.protocols.AnswerText;
import dev.parley.channels.protocols.AnswerText.Piece;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.domain.protocol.TurnDelta;

/** Hears what is said in a turn, and nothing else of it. */
abstract class TextListener implements TurnFollower.Listener {
    private final AnswerText text;

    TextListener(AnswerText text) {
        this.text = text;
    }

    /** Hears nothing: the answer is told as a whole. */
    static TextListener nobody(AnswerText text) {
        return new TextListener(text) {
            @Override
            void said(Piece piece) {}

            @Override
            public void silent() {}
        };
    }

    abstract void said(Piece piece) throws InterruptedException;

    @Override
    public final boolean heard(TurnDelta delta) throws InterruptedException {
        Piece piece = text.add(delta);
        if (piece != null) {
            said(piece);
        }
        return piece != null;
    }
}

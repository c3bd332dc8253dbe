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

package dev.parley.channels.openai;

import dev.parley.channels.protocols.AnswerText.Piece;
import dev.parley.domain.protocol.TurnDelta;
import org.jspecify.annotations.Nullable;

/** The reasoning of a turn as it is streamed: a text for each attempt of a model call. */
final class ReasoningText {
    private final int from;
    private int step = -1;
    private int attempt = -1;

    /** @param from number of the first model call whose reasoning is sent */
    ReasoningText(int from) {
        this.from = from;
    }

    /** The piece to send after this delta; null for none. */
    @Nullable
    Piece add(TurnDelta delta) {
        if (delta.kind() != TurnDelta.Kind.REASONING
                || delta.step() < from
                || delta.text().isEmpty()) {
            return null;
        }
        boolean begins = delta.step() != step || delta.attempt() != attempt;
        step = delta.step();
        attempt = delta.attempt();
        return new Piece(begins, delta.text());
    }
}

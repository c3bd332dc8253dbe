package dev.parley.channels.openai;

import dev.parley.channels.openai.AnswerText.Piece;
import dev.parley.channels.web.FollowedTurn;
import io.micronaut.http.HttpResponse;

/** What answers say in their headers, for those who know Parley. */
final class Headers {
    /** Hears nothing: the answer is told as a whole. */
    static final TurnFollower.Listener NOBODY = new TurnFollower.Listener() {
        @Override
        public void said(Piece piece) {}

        @Override
        public void silent() {}
    };

    private Headers() {}

    static HttpResponse<?> of(FollowedTurn turn, HttpResponse<?> response) {
        return response.toMutableResponse()
                .header(Asking.SESSION, turn.key().session())
                .header(Asking.TURN, turn.id().toString());
    }
}

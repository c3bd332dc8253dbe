package dev.parley.channels.openai;

import dev.parley.channels.web.FollowedTurn;
import io.micronaut.http.HttpResponse;

/** Parley's response headers. */
final class Headers {
    private Headers() {}

    static HttpResponse<?> of(FollowedTurn turn, HttpResponse<?> response) {
        return response.toMutableResponse()
                .header(Asking.SESSION, turn.key().session())
                .header(Asking.TURN, turn.id().toString());
    }
}

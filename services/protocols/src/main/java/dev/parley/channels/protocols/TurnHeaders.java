package dev.parley.channels.protocols;

import dev.parley.channels.web.FollowedTurn;
import io.micronaut.http.HttpResponse;

/** Response headers that name the turn of a request. */
public final class TurnHeaders {
    /** The session; in requests of OpenAI's protocol, the session to continue. */
    public static final String SESSION = "Parley-Session";

    private static final String TURN = "Parley-Turn";

    private TurnHeaders() {}

    /** The response with these headers. */
    public static HttpResponse<?> add(FollowedTurn turn, HttpResponse<?> response) {
        return response.toMutableResponse()
                .header(SESSION, turn.key().session())
                .header(TURN, turn.id().toString());
    }
}

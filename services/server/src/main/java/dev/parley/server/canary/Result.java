package dev.parley.server.canary;

import dev.parley.domain.Coded;

/** What became of a turn of the canary. */
enum Result implements Coded {
    /** Its reply carries the nonce, and stands once in the session's messages. */
    ANSWERED,
    /** It was accepted, and there was no reply in time. */
    LOST,
    /** It became two turns, or has two replies. */
    DUPLICATE,
    /** Its reply does not carry its nonce, or carries another one. */
    WRONG,
    /** It failed or was cancelled, and says so. */
    FAILED,
    /** The server did not want it. */
    REFUSED,
    /** The canary ended before the server accepted it. */
    UNSENT;
}

package dev.parley.server.canary;

import dev.parley.domain.Coded;

/** The result of a canary turn. */
enum Result implements Coded {
    /** The reply has the nonce, and is once in the session's messages. */
    ANSWERED,
    /** Accepted, but without a reply in time. */
    LOST,
    /** Two turns or two replies. */
    DUPLICATE,
    /** A reply without its nonce, or with another one. */
    WRONG,
    /** Failed or cancelled. */
    FAILED,
    /** Refused by the server. */
    REFUSED,
    /** Not accepted within the time for sending. */
    UNSENT;
}

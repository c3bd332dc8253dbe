package dev.parley.platform.http.signin;

import dev.parley.platform.http.Caller;

/** Ends sign-ins; processes with the role {@code control} have one. */
@FunctionalInterface
public interface SignOut {
    /** Ends the sign-in of a caller, with its tokens, tickets and streams; nothing for callers with another key. */
    void end(Caller caller);
}

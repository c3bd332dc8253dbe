package dev.parley.domain.protocol.origin;

import dev.parley.domain.Coded;

/** The kind of an {@link Actor}. */
public enum ActorKind implements Coded {
    /** Of records from before the kind was recorded. */
    UNKNOWN,
    /** A person or their key, through an API. */
    PERSON,
    /** A bot of a channel, in the name of whoever writes to it. */
    BOT,
    /** A workflow process. */
    PROCESS,
    /** An agent at work for the agent of another session. */
    DELEGATE,
    SCHEDULE;
}

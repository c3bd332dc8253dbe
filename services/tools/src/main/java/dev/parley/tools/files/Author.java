package dev.parley.tools.files;

import java.util.UUID;

/** The author of a change. */
public sealed interface Author {
    /** The recorded name: a user's id, or an agent's name. */
    String name();

    /** A user, over HTTP. */
    record Person(String name) implements Author {}

    /**
     * An agent, by a tool call. A redelivered call makes its change only once.
     *
     * @param name the name of the agent
     * @param top the topmost turn of the delegation, or the turn itself
     */
    record Call(String name, UUID sessionId, UUID turnId, UUID top, int step, UUID callId) implements Author {}
}

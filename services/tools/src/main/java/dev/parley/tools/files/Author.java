package dev.parley.tools.files;

import java.util.UUID;

/** Who changes a file. */
public sealed interface Author {
    /** The name that is kept: a person's id, or an agent's name. */
    String name();

    /** A person, over HTTP. */
    record Person(String name) implements Author {}

    /**
     * An agent, by a tool call. The same call changes something once, however often it runs.
     *
     * @param name the agent's
     * @param top the turn at the top of the delegation; the turn itself where it is at the top
     */
    record Call(String name, UUID sessionId, UUID turnId, UUID top, int step, UUID callId) implements Author {}
}

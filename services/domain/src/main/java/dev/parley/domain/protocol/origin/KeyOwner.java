package dev.parley.domain.protocol.origin;

import dev.parley.domain.Coded;

/** The owner of a model provider's API key. */
public enum KeyOwner implements Coded {
    /** The agent's definition. */
    AGENT,
    /** The turn's user. */
    USER,
    /** The host, shared by all its users. */
    HOST,
    /** The provider's configuration by the operator. */
    OPERATOR;
}

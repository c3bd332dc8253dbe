package dev.parley.domain.protocol;

import dev.parley.domain.Coded;

/** Who gave the key of a model provider. */
public enum KeyOwner implements Coded {
    /** The agent names it. */
    AGENT,
    /** The turn's user. */
    USER,
    /** The host, shared by all its users. */
    HOST,
    /** The provider's configuration by the operator. */
    OPERATOR;
}

package dev.parley.domain.protocol;

import dev.parley.domain.Coded;

/** Who gave the key of a model provider. */
public enum KeyOwner implements Coded {
    /** The agent names it. */
    AGENT,
    /** The turn's user. */
    USER,
    /** The host, for all of its people. */
    HOST,
    /** The provider's configuration. */
    OPERATOR;
}

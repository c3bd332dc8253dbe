package dev.parley.domain.protocol;

import java.util.Locale;

/** Who gave the key of a model provider. */
public enum KeyOwner {
    /** The agent names it. */
    AGENT,
    /** The turn's user. */
    USER,
    /** The host, for all of its people. */
    HOST,
    /** The provider's configuration. */
    OPERATOR;

    /** The name in tables and in HTTP: lower case. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}

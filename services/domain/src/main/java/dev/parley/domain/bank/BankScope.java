package dev.parley.domain.bank;

import dev.parley.domain.Coded;

/** Whose a bank is. */
public enum BankScope implements Coded {
    /** Everybody's on the host. */
    HOST,
    /** Of all who talk to one agent. */
    AGENT,
    /** Of one person, whatever agent they talk to. */
    USER,
    /** Of one person, as far as they talk to one agent. */
    USER_AGENT;

    /** Whether others than one person see what is in it. */
    public boolean isShared() {
        return this == HOST || this == AGENT;
    }
}

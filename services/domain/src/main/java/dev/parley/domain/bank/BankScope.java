package dev.parley.domain.bank;

import dev.parley.domain.Coded;

/** Whose a bank is. */
public enum BankScope implements Coded {
    /** Everybody's on the host. */
    HOST,
    /** All users of one agent. */
    AGENT,
    /** One user, over all agents. */
    USER,
    /** One user with one agent. */
    USER_AGENT;

    /** Whether others than one person see what is in it. */
    public boolean isShared() {
        return this == HOST || this == AGENT;
    }
}

package dev.parley.domain.bank;

import dev.parley.domain.Coded;

/** The owner of a memory bank. */
public enum BankScope implements Coded {
    /** All users of the host. */
    HOST,
    /** All users of one agent. */
    AGENT,
    /** One user, over all agents. */
    USER,
    /** One user with one agent. */
    USER_AGENT;

    /** Whether several users share such a bank. */
    public boolean isShared() {
        return this == HOST || this == AGENT;
    }
}

package dev.parley.domain.protocol;

import dev.parley.domain.Coded;

/** A person's decision about a tool call whose result is unknown. */
public enum CallOutcome implements Coded {
    HAPPENED,
    DID_NOT_HAPPEN;
}

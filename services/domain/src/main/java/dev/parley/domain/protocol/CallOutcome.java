package dev.parley.domain.protocol;

import dev.parley.domain.Coded;

/** What became of a tool call that nobody saw the end of, as a person found out. */
public enum CallOutcome implements Coded {
    HAPPENED,
    DID_NOT_HAPPEN;
}

package dev.parley.domain.protocol;

import dev.parley.domain.Coded;

/** Where a turn came from; with the reference there it names the turn, so that a second delivery finds the first. */
public enum Origin implements Coded {
    CHANNEL,
    API,
    WORKFLOW,
    SCHEDULE,
    DELEGATE;
}

package dev.parley.domain.protocol.origin;

import dev.parley.domain.Coded;

/** Origin of a turn. With the origin's reference it determines the turn's id, so that duplicates are recognised. */
public enum Origin implements Coded {
    CHANNEL,
    API,
    WORKFLOW,
    SCHEDULE,
    DELEGATE;
}

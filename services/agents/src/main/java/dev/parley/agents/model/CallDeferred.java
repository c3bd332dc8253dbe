package dev.parley.agents.model;

import dev.parley.domain.protocol.ErrorCategory;
import java.time.Duration;
import java.util.List;

/** The model was not asked, and nobody is to blame: the call is to be made later, and has lost no attempt. */
final class CallDeferred extends ModelFailure {
    private final Duration rest;

    /** @param why it was not asked, for operators */
    CallDeferred(Duration rest, String why) {
        super(ErrorCategory.OVERLOADED, why, rest, List.of());
        this.rest = rest;
    }

    /** A model that has failed too often. */
    static CallDeferred broken(String provider, Duration rest) {
        return new CallDeferred(rest, provider + " has failed too often and is left alone for a while");
    }

    /** How long to wait. */
    Duration rest() {
        return rest;
    }
}

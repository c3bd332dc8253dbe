package dev.parley.agents.model;

import dev.parley.domain.turn.ErrorCategory;
import java.time.Duration;
import java.util.List;

/** The model was not asked, because it has failed too often: the call is to be made later, and has lost no attempt. */
final class LeftAlone extends ModelFailure {
    private final Duration rest;

    LeftAlone(String provider, Duration rest) {
        super(
                ErrorCategory.OVERLOADED,
                "%s has failed too often and is left alone for a while".formatted(provider),
                rest,
                List.of());
        this.rest = rest;
    }

    /** How long to wait. */
    Duration rest() {
        return rest;
    }
}

package dev.parley.domain.protocol;

import java.util.Locale;

/** Where a turn came from; with the reference there it names the turn, so that a second delivery finds the first. */
public enum Origin {
    CHANNEL,
    API,
    WORKFLOW,
    SCHEDULE,
    DELEGATE;

    /** The name in tables and in ids: lower case. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}

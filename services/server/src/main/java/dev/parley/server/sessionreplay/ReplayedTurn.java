package dev.parley.server.sessionreplay;

import org.jspecify.annotations.Nullable;

/**
 * A turn that was rerun.
 *
 * @param notRecorded calls that were answered with an error because the record lacks them
 * @param approved calls that would have needed approval, and were approved
 * @param withheld replies and files that would have been delivered to a chat
 * @param stopped the reason of an end before its answer, or null
 */
public record ReplayedTurn(
        TurnAnswer answer,
        int notRecorded,
        int approved,
        int withheld,
        @Nullable String stopped) {}

package dev.parley.server.replay;

import org.jspecify.annotations.Nullable;

/**
 * A turn that was rerun.
 *
 * @param notRecorded calls that were answered with an error because the record lacks them
 * @param approved questions that would have been asked of a person, and were answered yes
 * @param withheld replies and files that would have gone to a chat
 * @param stopped why it was ended before it was answered, or null
 */
public record ReplayedTurn(
        Answer answer,
        int notRecorded,
        int approved,
        int withheld,
        @Nullable String stopped) {}

package dev.parley.server.sessionreplay;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A recorded turn and its replay.
 *
 * @param number of the turn in its session, from 1
 * @param agent of the replay, {@code name@version}
 * @param said beginning of the user message
 * @param replayed null where it could not be replayed
 * @param problem the reason for which it could not be replayed, or null
 */
public record TurnResult(
        String session,
        long number,
        UUID turn,
        String agent,
        String said,
        TurnAnswer recorded,
        @Nullable ReplayedTurn replayed,
        @Nullable String problem) {

    /** Whether the replay answered the turn within all limits. */
    public boolean isAnswered() {
        return replayed != null && replayed.stopped() == null;
    }
}

package dev.parley.server.replay;

import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.TurnEvent.TurnAccepted;
import java.util.List;
import java.util.UUID;

/**
 * A turn that ended, as it was recorded.
 *
 * @param number of the turn in its session, from 1
 * @param content what was said, with all that joined the turn, and what was heard in recordings
 * @param started number of the event, among those of the session, with which it began
 */
public record RecordedTurn(
        long number, UUID id, TurnAccepted accepted, List<Block> content, int started, Answer answer) {
    public RecordedTurn {
        content = List.copyOf(content);
    }
}

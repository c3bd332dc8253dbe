package dev.parley.server.sessionreplay;

import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.TurnEvent.TurnAccepted;
import java.util.List;
import java.util.UUID;

/**
 * A recorded turn that has ended.
 *
 * @param number of the turn in its session, from 1
 * @param content the user content, with messages that joined the turn and transcripts
 * @param started index of its first event in the session
 */
public record RecordedTurn(
        long number, UUID id, TurnAccepted accepted, List<Block> content, int started, TurnAnswer answer) {
    public RecordedTurn {
        content = List.copyOf(content);
    }
}

package dev.parley.domain.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is under way in one session at a moment: turns that have not ended, a summary that nobody has answered, files that
 * nobody has put back, a fork that has not arrived whole. Without their events the others make a session at rest. It remembers nothing of what is done.
 */
public final class Unfinished {
    /** The fresh delegates of each turn that has not ended. */
    private final Map<UUID, Set<RecordKey>> turns = new HashMap<>();

    private final Set<UUID> summaries = new HashSet<>();
    private @Nullable UUID revert;
    private @Nullable UUID fork;

    /** Made for the first event of a session, or for the next one after nothing was under way. */
    public Unfinished() {}

    /** Takes the next event of the session. */
    public void take(TurnEvent event) {
        UUID turnId = event.meta().turnId();
        switch (event) {
            case TurnAccepted _ -> {
                if (turnId != null) {
                    turns.put(turnId, new HashSet<>());
                }
            }
            case ToolRequested call -> fresh(turnId, call.child());
            case TurnCompleted _, TurnFailed _, TurnCancelled _ -> turns.remove(turnId);
            case SummaryRequested summary -> summaries.add(summary.callId());
            case Summarised _, SummaryFailed _ -> summaries.clear();
            case FilesRevertRequested asked -> revert = asked.callId();
            case FilesReverted _ -> revert = null;
            case SessionOpened _ -> nothingArrives();
            case SessionChanged change
            when change.status() == SessionStatus.DELETED -> {
                nothingArrives();
                revert = null;
            }
            case ContextReset reset -> reset(reset.reset());
            case ContextSeeded seeded -> seeded(seeded);
            default -> {}
        }
    }

    private void fresh(@Nullable UUID turnId, @Nullable RecordKey child) {
        Set<RecordKey> children = turns.get(turnId);
        if (children != null && child != null && Delegation.isFresh(child)) {
            children.add(child);
        }
    }

    private void nothingArrives() {
        summaries.clear();
        fork = null;
    }

    private void reset(TurnCommand.Reset reset) {
        switch (reset) {
            case CLEAR, FORGET -> nothingArrives();
            case REWIND, UNDO, REVERT, UNREVERT -> summaries.clear();
            case MARK, NEW -> {}
        }
    }

    /** What a fork replaces is replaced when the fork is whole, and not before. */
    private void seeded(ContextSeeded event) {
        if (event.piece() == event.pieces() - 1) {
            nothingArrives();
        } else {
            fork = event.forkId();
        }
    }

    /** Whether nothing is under way. */
    public boolean isEmpty() {
        return turns.isEmpty() && summaries.isEmpty() && revert == null && fork == null;
    }

    /** Whether an event belongs to what is under way. */
    public boolean has(TurnEvent event) {
        UUID turnId = event.meta().turnId();
        return (turnId != null && turns.containsKey(turnId))
                || (event instanceof SummaryRequested summary && summaries.contains(summary.callId()))
                || (event instanceof FilesRevertRequested asked
                        && asked.callId().equals(revert))
                || (event instanceof ContextSeeded seeded && seeded.forkId().equals(fork));
    }

    /** Sessions that only work for turns which have not ended. */
    public Stream<RecordKey> freshDelegates() {
        return turns.values().stream().flatMap(Set::stream);
    }
}

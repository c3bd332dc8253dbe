package dev.parley.domain.turn.history;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.turn.Delegation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Operations in progress in one session: turns, a summary, a file revert, a fork. Without their events, the
 * remaining events result in an idle session. Does not retain completed operations.
 */
public final class Unfinished {
    /** The fresh delegates of each open turn. */
    private final Map<UUID, Set<RecordKey>> turns = new HashMap<>();

    private final Set<UUID> summaries = new HashSet<>();
    private @Nullable UUID revert;
    private @Nullable UUID fork;

    /** Before the first event of a session, or while nothing is in progress. */
    public Unfinished() {}

    /** Applies the next event of the session. */
    public void take(TurnEvent event) {
        UUID turnId = event.meta().turnId();
        switch (event) {
            case TurnAccepted _ -> addTurn(turnId);
            case ToolRequested call -> addFreshDelegate(turnId, call.child());
            case TurnCompleted _, TurnFailed _, TurnCancelled _ -> turns.remove(turnId);
            case SummaryRequested summary -> summaries.add(summary.callId());
            case Summarised _, SummaryFailed _ -> summaries.clear();
            case FilesRevertRequested request -> revert = request.callId();
            case FilesReverted _ -> revert = null;
            case SessionOpened _ -> clearArriving();
            case SessionChanged change
            when change.status() == SessionStatus.DELETED -> {
                clearArriving();
                revert = null;
            }
            case ContextReset reset -> reset(reset.reset());
            case ContextSeeded seeded -> applySeeded(seeded);
            default -> {}
        }
    }

    private void addTurn(@Nullable UUID turnId) {
        if (turnId != null) {
            turns.put(turnId, new HashSet<>());
        }
    }

    private void addFreshDelegate(@Nullable UUID turnId, @Nullable RecordKey child) {
        Set<RecordKey> children = turns.get(turnId);
        if (children != null && child != null && Delegation.isFresh(child)) {
            children.add(child);
        }
    }

    private void clearArriving() {
        summaries.clear();
        fork = null;
    }

    private void reset(TurnCommand.Reset reset) {
        switch (reset) {
            case CLEAR, FORGET -> clearArriving();
            case REWIND, UNDO, REVERT, UNREVERT -> summaries.clear();
            case MARK, NEW -> {}
        }
    }

    /** A fork replaces the context when it is complete, not before. */
    private void applySeeded(ContextSeeded event) {
        if (event.piece() == event.pieces() - 1) {
            clearArriving();
        } else {
            fork = event.forkId();
        }
    }

    /** Whether nothing is in progress. */
    public boolean isEmpty() {
        return turns.isEmpty() && summaries.isEmpty() && revert == null && fork == null;
    }

    /** Whether an event belongs to an operation in progress. */
    public boolean has(TurnEvent event) {
        UUID turnId = event.meta().turnId();
        return (turnId != null && turns.containsKey(turnId))
                || (event instanceof SummaryRequested summary && summaries.contains(summary.callId()))
                || (event instanceof FilesRevertRequested request
                        && request.callId().equals(revert))
                || (event instanceof ContextSeeded seeded && seeded.forkId().equals(fork));
    }

    /** Sessions that work only for open turns. */
    public Stream<RecordKey> freshDelegates() {
        return turns.values().stream().flatMap(Set::stream);
    }
}

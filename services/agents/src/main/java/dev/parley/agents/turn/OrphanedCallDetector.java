package dev.parley.agents.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.turn.TurnMachine;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.streams.TopologyMembers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Detects calls that were lost with the previous owner of a partition. In-memory calls of an owner that has crashed are
 * retried immediately; an owner that still runs sends their results to the topic. All other calls are covered by their
 * leases.
 */
final class OrphanedCallDetector {
    private final LocalDispatch localDispatch;
    private final TopologyMembers members;
    private final TurnStore store;
    private final List<RecordKey> candidates = new ArrayList<>();
    private boolean recorded;
    private final Optional<String> previousOwner;

    OrphanedCallDetector(LocalDispatch localDispatch, TopologyMembers members, TurnStore store) {
        this.localDispatch = localDispatch;
        this.members = members;
        this.store = store;
        this.previousOwner = store.owner().filter(process -> !process.equals(members.incarnation()));
    }

    /** Registers a session of the partition. */
    void register(SessionState state) {
        if (previousOwner.isPresent() && !TurnMachine.retriesOfLostCalls(state).isEmpty()) {
            candidates.add(state.key());
        }
    }

    /** The sessions whose calls are known to be lost, each once. Call it inside a transaction. */
    List<RecordKey> takeLost() {
        if (!members.isSettled()) {
            // The previous owner stays recorded, for the next one if this process crashes as well.
            return List.of();
        }
        recordOwner();
        if (candidates.isEmpty() || !previousOwner.map(members::isGone).orElse(false)) {
            return List.of();
        }
        var lost = List.copyOf(candidates);
        candidates.clear();
        return lost;
    }

    private void recordOwner() {
        if (!recorded) {
            recorded = true;
            String incarnation = localDispatch.hasWorkers() ? members.incarnation() : "";
            if (!store.owner().orElse("").equals(incarnation)) {
                store.setOwner(incarnation);
            }
        }
    }
}

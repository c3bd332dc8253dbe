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
 * What a process does about the calls that were under way when it took a partition over. Calls that the process before it made in
 * memory are lost if that process is gone, and are asked again at once; if it lives, it answers them by their topic. All others have
 * their leases.
 */
final class Takeover {
    private final LocalDispatch lanes;
    private final TopologyMembers members;
    private final TurnStore store;
    private final List<RecordKey> underWay = new ArrayList<>();
    private boolean owned;
    private Optional<String> before = Optional.empty();

    Takeover(LocalDispatch lanes, TopologyMembers members, TurnStore store) {
        this.lanes = lanes;
        this.members = members;
        this.store = store;
        this.before = store.owner().filter(process -> !process.equals(members.self()));
    }

    /** A session as it was taken over. */
    void found(SessionState state) {
        if (before.isPresent() && !TurnMachine.orphanedCallResults(state).isEmpty()) {
            underWay.add(state.key());
        }
    }

    /** The sessions whose calls are known to be lost, each once. To be asked inside a transaction. */
    List<RecordKey> lost() {
        if (!members.isSettled()) {
            // The owner before stays on record, for whoever comes next if this process is killed as well.
            return List.of();
        }
        own();
        if (underWay.isEmpty() || !before.map(members::isGone).orElse(false)) {
            return List.of();
        }
        var lost = List.copyOf(underWay);
        underWay.clear();
        return lost;
    }

    private void own() {
        if (!owned) {
            owned = true;
            String self = lanes.hasWorkers() ? members.self() : "";
            if (!store.owner().orElse("").equals(self)) {
                store.own(self);
            }
        }
    }
}

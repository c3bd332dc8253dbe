package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.ImportSession;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.session.SessionState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** An imported session with the entries and outcomes that the topology would store. */
final class ArrivedSession {
    static final UUID IMPORT = Ids.of("an import");

    private final TreeMap<Long, Entry> entries = new TreeMap<>();
    private final Map<UUID, Outcome> outcomes = new HashMap<>();
    private final Definitions definitions;
    private SessionState state;

    ArrivedSession(RecordKey key, Definitions definitions) {
        this.state = SessionState.initial(key);
        this.definitions = definitions;
    }

    SessionState state() {
        return state;
    }

    NavigableMap<Long, Entry> entries() {
        return entries;
    }

    Map<UUID, Outcome> outcomes() {
        return outcomes;
    }

    /** Imports these events in pieces of at most this size. */
    ArrivedSession arrives(List<TurnEvent> events, int size) {
        var pieces = new ArrayList<List<TurnEvent>>();
        for (int from = 0; from < events.size(); from += size) {
            pieces.add(events.subList(from, Math.min(from + size, events.size())));
        }
        for (int i = 0; i < pieces.size(); i++) {
            var outcome = takes(piece(i, pieces.size(), pieces.get(i)));
            assertInstanceOf(Outcome.Accepted.class, outcome, () -> "the import was refused: " + outcome);
        }
        return this;
    }

    static ImportSession piece(int piece, int pieces, List<TurnEvent> events) {
        UUID id = Ids.of("import", IMPORT, piece);
        var meta = new CommandMeta(id, Ids.of("host"), Instant.parse("2031-01-01T00:00:00Z"), null, null, null);
        return new ImportSession(meta, IMPORT, piece, pieces, events);
    }

    /** Handles a command and returns its outcome. */
    Outcome takes(TurnCommand command) {
        decide(command, command.meta().at());
        return outcomes.get(command.meta().commandId());
    }

    /** Decides on an input and stores the result. */
    TurnDecision decide(TurnInput input, Instant now) {
        TurnDecision decisions = TurnMachine.decide(
                state,
                input,
                new DecisionContext(
                        now,
                        definitions,
                        (_, _, _) -> Optional.empty(),
                        (_, _) -> List.of(),
                        (_, _, _) -> Optional.empty(),
                        entries::get,
                        id -> Optional.ofNullable(outcomes.get(id))));
        assertEquals(
                state.lastSeq()
                        + decisions.events().stream()
                                .filter(TurnEvent::isPublished)
                                .count(),
                decisions.state().lastSeq());
        state = decisions.state();
        decisions.effects().forEach(this::apply);
        return decisions;
    }

    private void apply(TurnEffect effect) {
        switch (effect) {
            case TurnEffect.StoreEntry store -> entries.put(store.index(), store.entry());
            case TurnEffect.DeleteEntries delete ->
                entries.subMap(delete.from(), delete.to()).clear();
            case TurnEffect.StoreOutcome store -> outcomes.put(store.commandId(), store.outcome());
            default -> {}
        }
    }
}

package dev.parley.server.sessionreplay;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.ImportTarget;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.turn.history.Relocation;
import dev.parley.domain.turn.history.Unfinished;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The events of one session, in order.
 *
 * @param events those that were not erased; the first one opens the session
 */
public record Recording(RecordKey key, List<TurnEvent> events) {

    /** @throws IllegalArgumentException where the first event does not open the session, or events are missing */
    public Recording {
        events = List.copyOf(events);
        if (events.isEmpty()) {
            throw new IllegalArgumentException("the session '" + key + "' does not exist on turn-events");
        }
        if (!(events.getFirst() instanceof SessionOpened)) {
            throw new IllegalArgumentException("the beginning of the session '" + key + "' is erased");
        }
        long seq = events.getFirst().meta().seq();
        for (TurnEvent event : events) {
            if (event.meta().seq() != seq++) {
                throw new IllegalArgumentException(
                        "events of the session '%s' are missing before number %d; ./parley audit says more"
                                .formatted(key, event.meta().seq()));
            }
        }
    }

    /** The started and ended turns of the current epoch, in order. */
    public List<RecordedTurn> turns() {
        long epoch = events.getLast().meta().epoch();
        Map<UUID, List<TurnEvent>> byTurn = new LinkedHashMap<>();
        Map<UUID, Integer> started = new LinkedHashMap<>();
        for (int i = 0; i < events.size(); i++) {
            TurnEvent event = events.get(i);
            UUID turn = event.meta().turnId();
            if (turn != null && event.meta().epoch() == epoch) {
                byTurn.computeIfAbsent(turn, _ -> new ArrayList<>()).add(event);
                if (event instanceof TurnStarted) {
                    started.put(turn, i);
                }
            }
        }
        var turns = new ArrayList<RecordedTurn>();
        byTurn.forEach((id, ofTurn) -> recordedTurn(id, ofTurn, started.get(id)).ifPresent(turns::add));
        return turns;
    }

    /** The turn, if a model was asked, it was accepted, has started and has ended. */
    private static Optional<RecordedTurn> recordedTurn(UUID id, List<TurnEvent> turn, @Nullable Integer start) {
        TurnAnswer answer = TurnAnswer.of(id, turn);
        return start != null
                        && answer.state() != null
                        && turn.getFirst() instanceof TurnAccepted accepted
                        && !accepted.posted()
                ? Optional.of(new RecordedTurn(accepted.turnSeq(), id, accepted, content(turn), start, answer))
                : Optional.empty();
    }

    /**
     * The user content before guardrails, as the agent under test applies its own. Messages that joined the turn are
     * part of the first one.
     */
    private static List<Block> content(List<TurnEvent> turn) {
        List<Block> content = new ArrayList<>();
        for (TurnEvent event : turn) {
            switch (event) {
                case TurnAccepted e -> content.addAll(e.content());
                case TurnExtended e -> content.addAll(e.content());
                case TurnSteered e -> content.addAll(e.content());
                case TurnRevised e -> content = new ArrayList<>(e.content());
                case Transcribed e -> content = new ArrayList<>(e.applyTo(content));
                default -> {}
            }
        }
        return content;
    }

    /** The events before a turn in importable form: without unfinished work, and numbered from 1. */
    public List<TurnEvent> before(RecordedTurn turn) {
        List<TurnEvent> past = events.subList(0, turn.started());
        var unfinished = new Unfinished();
        past.forEach(unfinished::take);
        var target = new ImportTarget(
                key.project(), key.project(), events.getFirst().meta().host(), user -> user, id -> id);
        var relocation = new Relocation(target, key);
        return past.stream()
                .filter(event -> !unfinished.has(event))
                .map(relocation::move)
                .toList();
    }
}

package dev.parley.server.replay;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.ImportTarget;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.turn.Relocation;
import dev.parley.domain.turn.Unfinished;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * All that happened to one session, in order.
 *
 * @param events those that were not erased; the first one opens the session
 */
public record Recording(RecordKey key, List<TurnEvent> events) {

    /** @throws IllegalArgumentException where the events do not begin with the session's beginning, or some are missing */
    public Recording {
        events = List.copyOf(events);
        if (events.isEmpty()) {
            throw new IllegalArgumentException("there is no session '" + key + "' on turn-events");
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

    /** The turns of the session as it is now that were started and have ended, the first one first. */
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
        byTurn.forEach((id, its) -> {
            Answer answer = Answer.of(id, its);
            if (started.containsKey(id) && answer.state() != null && its.getFirst() instanceof TurnAccepted accepted) {
                turns.add(new RecordedTurn(
                        accepted.turnSeq(),
                        id,
                        accepted,
                        content(its),
                        Objects.requireNonNull(started.get(id)),
                        answer));
            }
        });
        return turns;
    }

    /**
     * What was said, before any guardrail looked at it: those of the agent that answers now do so again. What joined is said with the
     * first message, for nobody can join when it is replayed.
     */
    private static List<Block> content(List<TurnEvent> its) {
        List<Block> content = new ArrayList<>();
        for (TurnEvent event : its) {
            switch (event) {
                case TurnAccepted e -> content.addAll(e.content());
                case TurnExtended e -> content.addAll(e.content());
                case TurnSteered e -> content.addAll(e.content());
                case TurnRevised e -> content = new ArrayList<>(e.content());
                case Transcribed e -> content = new ArrayList<>(e.heard(content));
                default -> {}
            }
        }
        return content;
    }

    /** What had happened when a turn began, as it can be imported: without what was under way then, and numbered from 1. */
    public List<TurnEvent> before(RecordedTurn turn) {
        List<TurnEvent> past = events.subList(0, turn.started());
        var unfinished = new Unfinished();
        past.forEach(unfinished::take);
        var place = new ImportTarget(
                key.project(), key.project(), events.getFirst().meta().host(), user -> user, id -> id);
        var relocation = new Relocation(place, key);
        return past.stream()
                .filter(event -> !unfinished.has(event))
                .map(relocation::move)
                .toList();
    }
}

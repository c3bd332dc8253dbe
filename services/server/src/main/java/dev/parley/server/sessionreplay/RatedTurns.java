package dev.parley.server.sessionreplay;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Opinion;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.FeedbackGiven;
import dev.parley.domain.protocol.TurnEvent.SessionErased;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The standing opinions about turns: the newest of each person and reaction. Takes events of sessions in order. */
final class RatedTurns {
    /** The types of the events that change opinions. */
    static final Set<String> TYPES = Set.of(FeedbackGiven.class.getSimpleName(), SessionErased.class.getSimpleName());

    private record Voice(UUID turn, String by, @Nullable String emoji) {}

    private final Map<RecordKey, Map<Voice, Opinion>> sessions = new LinkedHashMap<>();

    void take(TurnEvent event) {
        RecordKey key = event.meta().key();
        if (event instanceof SessionErased) {
            sessions.remove(key);
        } else if (event instanceof FeedbackGiven given) {
            sessions.computeIfAbsent(key, _ -> new HashMap<>())
                    .put(new Voice(given.turnId(), given.by(), given.emoji()), given.opinion());
        }
    }

    /** The turns of which somebody has this opinion, by session. */
    Map<RecordKey, Set<UUID>> with(Opinion opinion) {
        var found = new LinkedHashMap<RecordKey, Set<UUID>>();
        sessions.forEach((key, opinions) -> {
            Set<UUID> turns = opinions.entrySet().stream()
                    .filter(entry -> entry.getValue() == opinion)
                    .map(entry -> entry.getKey().turn())
                    .collect(Collectors.toSet());
            if (!turns.isEmpty()) {
                found.put(key, turns);
            }
        });
        return found;
    }
}

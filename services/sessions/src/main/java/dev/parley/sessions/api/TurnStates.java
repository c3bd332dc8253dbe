package dev.parley.sessions.api;

import dev.parley.domain.protocol.TurnState;
import dev.parley.platform.http.ApiException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses the turn states that a list is filtered by. */
final class TurnStates {
    /** All states of turns that have not ended. */
    static final List<String> OPEN = Arrays.stream(TurnState.values())
            .filter(state -> !state.isFinal())
            .map(TurnState::name)
            .toList();

    private TurnStates() {}

    /**
     * State names separated by commas, or {@code open}; empty for all.
     *
     * @throws ApiException 400 for an unknown state
     */
    static List<String> parse(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return List.of();
        }
        return text.equals("open")
                ? OPEN
                : Arrays.stream(text.split(","))
                        .map(name -> parseOne(name.strip().toUpperCase(Locale.ROOT)))
                        .distinct()
                        .toList();
    }

    private static String parseOne(String name) {
        try {
            return TurnState.valueOf(name).name();
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest(
                    "invalid_state", "state is open, or some of " + Arrays.toString(TurnState.values()));
        }
    }
}

package dev.parley.sessions.api;

import dev.parley.domain.protocol.TurnState;
import dev.parley.platform.http.ApiException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses the turn states that a list is filtered by. */
final class TurnStates {
    private static final List<String> ALL =
            Arrays.stream(TurnState.values()).map(TurnState::name).toList();

    /** The states of turns that have not ended. */
    static final List<String> OPEN =
            ALL.stream().filter(name -> !TurnState.valueOf(name).isFinal()).toList();

    private TurnStates() {}

    /**
     * State names separated by commas, or {@code open}; all states for null.
     *
     * @throws ApiException 400 for an unknown state
     */
    static List<String> parse(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return ALL;
        }
        if (text.equals("open")) {
            return OPEN;
        }
        List<String> states = Arrays.stream(text.split(","))
                .map(name -> parseOne(name.strip().toUpperCase(Locale.ROOT)))
                .distinct()
                .toList();
        return states.isEmpty() ? ALL : states;
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

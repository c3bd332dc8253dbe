package dev.parley.sessions.api;

import dev.parley.domain.protocol.TurnState;
import dev.parley.platform.http.ApiException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The states that a list of turns is asked for. */
final class TurnStates {
    /** All in which a turn has not ended. */
    static final List<String> OPEN = Arrays.stream(TurnState.values())
            .filter(state -> !state.isFinal())
            .map(TurnState::name)
            .toList();

    private TurnStates() {}

    /** Names with commas between them, or {@code open}; empty for all. @throws ApiException 400 */
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

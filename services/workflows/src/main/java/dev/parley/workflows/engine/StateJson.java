package dev.parley.workflows.engine;

import dev.parley.workflows.json.JsonText;

/**
 * JSON encoding of the state of a process in the state store. Null members are omitted, so that newer builds can add
 * members.
 */
public final class StateJson {
    private StateJson() {}

    /** Writes a state. */
    public static String write(ProcessState state) {
        return StateMapper.write(state).toString();
    }

    /**
     * Reads a text of {@link #write}.
     *
     * @throws IllegalArgumentException if the text is not a state
     */
    public static ProcessState read(String text) {
        return StateMapper.read(JsonText.read(text), ProcessState.class);
    }
}

package dev.parley.domain.session;

import dev.parley.domain.protocol.Check;
import org.jspecify.annotations.Nullable;

/**
 * Progress of guardrail checks in a turn.
 *
 * @param passed number of checked inputs: the turn's own, then those that joined and wait for the next model call
 * @param asked number of guardrail tool calls so far
 * @param check the check that waits for a tool, or null
 */
public record Guarded(int passed, int asked, @Nullable Check check) {
    public static final Guarded NONE = new Guarded(0, 0, null);

    public Guarded with(@Nullable Check value) {
        return new Guarded(passed, asked, value);
    }

    /** A guardrail's tool is running. */
    public Guarded toolRequested(Check value) {
        return new Guarded(passed, asked + (value.toolCall().attempt() == 1 ? 1 : 0), value);
    }

    /** One more input is checked. */
    public Guarded inputPassed() {
        return new Guarded(passed + 1, asked, null);
    }

    /** The first message that joined is now in the context, if {@code did}. */
    public Guarded messageJoined(boolean did) {
        return did && passed > 1 ? new Guarded(passed - 1, asked, check) : this;
    }
}

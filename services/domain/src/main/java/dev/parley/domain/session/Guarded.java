package dev.parley.domain.session;

import dev.parley.domain.protocol.Check;
import org.jspecify.annotations.Nullable;

/**
 * How far guardrails have looked at a turn.
 *
 * @param passed how many of the messages that came in they have looked at: the turn's own, then those that joined and
 *     wait for the next model call
 * @param asked how many calls of their tools there were
 * @param check what waits for one of them, or null
 */
public record Guarded(int passed, int asked, @Nullable Check check) {
    public static final Guarded NONE = new Guarded(0, 0, null);

    public Guarded with(@Nullable Check value) {
        return new Guarded(passed, asked, value);
    }

    /** The tool of a guardrail is asked. */
    public Guarded asking(Check value) {
        return new Guarded(passed, asked + (value.asked().attempt() == 1 ? 1 : 0), value);
    }

    /** They have looked at one more. */
    public Guarded pass() {
        return new Guarded(passed + 1, asked, null);
    }

    /** The first message that joined stands in the context, where it did. */
    public Guarded joined(boolean did) {
        return did && passed > 1 ? new Guarded(passed - 1, asked, check) : this;
    }
}

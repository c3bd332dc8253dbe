package dev.parley.tools;

import dev.parley.domain.definition.ToolSpec;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * Something that a model can have done. One instance serves all calls at once.
 *
 * <p>What its spec says about its effect decides what becomes of a call whose worker dies in the middle: see
 * {@link dev.parley.domain.definition.ToolEffect}.
 */
public interface Tool {

    /** What models are told of it. The same every time. */
    ToolSpec spec();

    /**
     * Does it. The arguments keep to the spec's schema. It runs on a virtual thread of its own, may block, and is
     * interrupted when the call is cancelled or its time is up.
     *
     * <p>It returns {@link ToolOutput.Failed} where it knows that it did not do its work; the model reads why. It throws
     * where it does not know: whether it happened is then a question of its effect.
     */
    ToolOutput run(ToolCallContext call, JsonNode arguments) throws Exception;

    /**
     * Whether the call with this id happened; asked of {@code RECONCILABLE} tools when a worker died or lost sight of it.
     *
     * @param arguments those of the call
     */
    default Reconciliation reconcile(UUID callId, JsonNode arguments) throws Exception {
        return new Reconciliation.Unknown();
    }
}

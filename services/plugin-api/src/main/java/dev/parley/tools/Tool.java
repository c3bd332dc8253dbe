package dev.parley.tools;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.definition.ToolSpec;
import java.util.UUID;

/**
 * A tool that models can call. One instance serves all calls concurrently.
 *
 * <p>The {@link dev.parley.domain.definition.ToolEffect} in its spec decides how a call is handled whose worker
 * crashed.
 */
public interface Tool {

    /** The tool's name, description and schema as given to models. Constant. */
    ToolSpec spec();

    /**
     * Runs the tool with arguments that are valid against the spec's schema. Runs on a virtual thread of its own, may
     * block, and is interrupted when the call is cancelled or its deadline passes.
     *
     * <p>Returns {@link ToolOutput.Failed} if it is certain that the call had no effect; the model reads the reason.
     * Throws if that is uncertain: the spec's effect then decides whether the call is retried.
     */
    ToolOutput run(ToolCallContext call, JsonNode arguments) throws Exception;

    /**
     * Determines whether the call with this id took effect. Called for {@code RECONCILABLE} tools after a worker
     * crashed or lost contact with the call.
     *
     * @param arguments the call's arguments
     */
    default Reconciliation reconcile(UUID callId, JsonNode arguments) throws Exception {
        return new Reconciliation.Unknown();
    }
}

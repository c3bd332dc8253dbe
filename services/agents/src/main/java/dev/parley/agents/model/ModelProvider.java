package dev.parley.agents.model;

import dev.parley.domain.protocol.ModelRequest;
import dev.parley.platform.worker.Cancellation;

/**
 * Somebody who answers for models, such as an API. One instance serves all calls at once and keeps nothing between them.
 *
 * <p>To retry is not its business: it fails with what the other side said, and the call is made again as its asker sees
 * fit. It maps what it does not know to {@code UNKNOWN} categories and {@code Raw} blocks, and throws nothing away.
 */
public interface ModelProvider extends AutoCloseable {

    /** What agents call it, and what its items are marked with: {@code openai}, {@code scripted}. */
    String name();

    /**
     * Makes one call and returns when the model has finished speaking. It runs on a virtual thread of its own and may
     * block.
     *
     * @param stream takes what the model says while it says it; all text, joined, is the text of the answer
     * @param cancellation says when to stop; the thread is interrupted as well, so that only what an interrupt does not
     *     end (a socket) needs a hook
     * @throws ModelFailure when there is no answer; what was streamed until then is kept without the provider's doing
     * @throws InterruptedException when it was cancelled
     */
    ModelAnswer call(ModelRequest request, ModelStream stream, Cancellation cancellation)
            throws ModelFailure, InterruptedException;

    /** Closes its connections, if it has any. */
    @Override
    default void close() {}
}

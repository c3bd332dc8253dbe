package dev.parley.agents.model;

import dev.parley.domain.protocol.ModelRequest;
import dev.parley.platform.worker.Cancellation;

/**
 * A provider of models, such as an API. One instance serves all calls concurrently and is stateless.
 *
 * <p>A provider does not retry: it fails with the error of the API, and the caller decides on a retry. It maps unknown
 * values to {@code UNKNOWN} categories and {@code Raw} blocks, and discards nothing.
 */
public interface ModelProvider extends AutoCloseable {

    /** The name that agents refer to and that its items carry: {@code openai}, {@code scripted}. */
    String name();

    /**
     * Makes one call and returns when the answer is complete. It runs on a virtual thread of its own and may block.
     *
     * @param stream receives the answer in pieces; all text, joined, is the text of the answer
     * @param cancellation the thread is interrupted on cancellation, so that only blocking that ignores interrupts (a
     *     socket) needs a hook
     * @throws ModelFailure when there is no answer; the caller keeps the content streamed so far
     * @throws InterruptedException when it was cancelled
     */
    ModelAnswer call(ModelRequest request, ModelStream stream, Cancellation cancellation)
            throws ModelFailure, InterruptedException;

    /** Closes the connections, if there are any. */
    @Override
    default void close() {}
}

package dev.parley.platform.worker;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.TurnDelta;
import java.util.List;

/** One kind of call: reads its requests, runs them, and provides the result when a call fails. */
public interface CallHandler<W> {

    /** Classifies a record of the request topic. */
    WorkerRequest classify(W record);

    /**
     * Whether a call may run before the step that requested it is committed: after a crash it may run again, or never
     * have been requested. Any thread may call this: it neither blocks nor fails.
     *
     * @param key record key of the requester
     */
    default boolean isRepeatable(W request, String key) {
        return true;
    }

    /** Approximate size in bytes of a request that is handed over in memory. */
    default int weight(W request) {
        return 1 << 10;
    }

    /** Prepares the execution of a request, on the thread of the loop: it neither blocks nor fails. */
    Execution begin(W request, CallContext context);

    /** The execution of one call. */
    interface Execution {
        /**
         * Executes the call on a virtual thread. A cancelled call is interrupted, and may still return its result
         * within a second. After an exception the result is {@link #failure}.
         */
        CallResult run() throws Exception;

        /**
         * The result of a failed call, with its partial output. Any thread may call this, also while {@link #run}
         * continues, whose result is then discarded.
         */
        CallResult failure(ErrorCategory category, String detail);

        /**
         * Stream deltas that are not published yet when the result is ready; they are published with it. Called once,
         * and only for calls whose result goes to a topology in memory.
         */
        default List<TurnDelta> unshown() {
            return List.of();
        }

        /** Called on a thread of its own with each heartbeat. */
        default void progress() {}
    }
}

package dev.parley.platform.worker;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.TurnDelta;
import java.util.List;

/** One kind of call: reads its requests, runs them, and provides the result when a call fails. */
public interface CallHandler<W> {

    /** What this record is. */
    Work work(W record);

    /**
     * Whether a call may be made before what asked for it is committed: after a crash it may be made again, or turn out never to
     * have been asked for. Called by any thread: it neither blocks nor fails.
     *
     * @param key the asker's record key
     */
    default boolean isRepeatable(W request, String key) {
        return true;
    }

    /** How many bytes a request that was handed over in memory takes, about. */
    default int weight(W request) {
        return 1 << 10;
    }

    /** Prepares the execution of a request. Called by the loop itself: it neither blocks nor fails. */
    Execution begin(W request, CallContext context);

    /** One call being carried out. */
    interface Execution {
        /**
         * Carries the call out, on a virtual thread. When the call is cancelled this thread is interrupted, and what is
         * returned within a second of that is still the answer. An exception is answered by {@link #failure}.
         */
        CallResult run() throws Exception;

        /**
         * The answer in place of one that {@link #run} did not give, with whatever there is of it. Any thread may call
         * this, also while {@link #run} goes on; what that returns later is thrown away.
         */
        CallResult failure(ErrorCategory category, String detail);

        /**
         * What watchers of the turn have not been shown when the answer is there; it is shown with the answer, and asked for once.
         * Only for calls whose answer goes in memory.
         */
        default List<TurnDelta> unshown() {
            return List.of();
        }

        /** Called on a thread of its own each time that the asker is told that the call goes on. */
        default void progress() {}
    }
}

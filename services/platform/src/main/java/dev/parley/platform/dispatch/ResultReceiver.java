package dev.parley.platform.dispatch;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.TurnDelta;
import java.util.List;

/** Receives the result of one call in memory, and the heartbeats before it. */
public interface ResultReceiver {
    /**
     * Takes a result or heartbeat. Any thread may call it.
     *
     * @param unshown stream deltas that are published with it
     * @param byTopic sends it to its topic, if the task closes before it is committed; it does not block
     * @return false if the task is closed: it must go to its topic
     */
    boolean offer(CallResult answer, List<TurnDelta> unshown, Runnable byTopic);

    /**
     * Whether the step that requested the call is committed. A step that is repeated after an abort may make another
     * request with the same id; requests with one id are equal only if their step is committed.
     */
    boolean isCommitted();
}

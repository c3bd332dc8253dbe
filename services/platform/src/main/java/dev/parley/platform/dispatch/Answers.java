package dev.parley.platform.dispatch;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.TurnDelta;
import java.util.List;

/** Receives the answers of one call. */
public interface Answers {
    /**
     * Takes an answer in memory. Any thread.
     *
     * @param unshown what watchers of the turn are to be shown with it
     * @param byTopic sends the answer by its topic, if the task closes before the answer is committed; it does not block
     * @return false if the task is closed: the answer must go by its topic
     */
    boolean offer(CallResult answer, List<TurnDelta> unshown, Runnable byTopic);

    /**
     * Whether the step that asked for the call is committed. A step that is made again after an abort may ask something else under
     * the same id: only a committed one makes two calls with one id the same.
     */
    boolean isCommitted();
}

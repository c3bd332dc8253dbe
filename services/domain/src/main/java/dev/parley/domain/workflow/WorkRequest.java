package dev.parley.domain.workflow;

import dev.parley.domain.ProcessRef;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call of a process, complete: a worker needs nothing else.
 *
 * @param callId names it
 * @param attempt counts the times that it is asked, from 1
 * @param callKey what the process knows it by
 * @param name of the task
 * @param function {@code http}, {@code workflow} and so on
 * @param arguments JSON
 * @param idempotencyKey the same in each attempt: whoever is called knows a repetition by it
 * @param user whose rights it has: who has started the process; null for nobody
 * @param depth how many processes are above this one
 * @param leaseUntil a worker that takes the call up after this moment drops it: it has been asked again
 * @param deadline when it is ended, finished or not
 */
public record WorkRequest(
        UUID callId,
        int attempt,
        ProcessRef process,
        String callKey,
        String name,
        String function,
        String arguments,
        String idempotencyKey,
        @Nullable String user,
        int depth,
        Instant leaseUntil,
        Instant deadline)
        implements WorkflowWork {

    /** The same, under way until this moment. */
    public WorkRequest leased(Instant until) {
        return new WorkRequest(
                callId,
                attempt,
                process,
                callKey,
                name,
                function,
                arguments,
                idempotencyKey,
                user,
                depth,
                until,
                deadline);
    }

    /** The same, asked once more. */
    public WorkRequest again(Instant until) {
        return new WorkRequest(
                callId,
                attempt + 1,
                process,
                callKey,
                name,
                function,
                arguments,
                idempotencyKey,
                user,
                depth,
                until,
                deadline);
    }
}

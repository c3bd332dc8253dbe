package dev.parley.domain.workflow;

import dev.parley.domain.ProcessRef;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call of a workflow process. Self-contained.
 *
 * @param callId id of the call
 * @param attempt from 1
 * @param callKey the process's own key of the call
 * @param name of the task
 * @param function {@code http}, {@code workflow} etc.
 * @param arguments JSON
 * @param idempotencyKey shared by all attempts
 * @param user the user who started the process, whose permissions apply; or null
 * @param depth number of ancestors of this process
 * @param leaseUntil a worker that claims the call later drops it: it has been retried
 * @param deadline time at which the call is cancelled if it has not completed
 * @param ofHost whether the process runs a definition of the host, whose powers it has, and not one of its project
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
        Instant deadline,
        boolean ofHost)
        implements WorkflowWork {

    /** With a lease until this time. */
    public WorkRequest withLease(Instant leaseUntil) {
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
                leaseUntil,
                deadline,
                ofHost);
    }

    /** The next attempt. */
    public WorkRequest again(Instant leaseUntil) {
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
                leaseUntil,
                deadline,
                ofHost);
    }
}

package dev.parley.workflows.work;

import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.json.Json;
import java.util.Optional;

/** Executes one kind of call. */
public interface CallExecutor {
    /** Its name in tasks: {@code http}, {@code workflow} and so on. */
    String function();

    /** Whether a call may be made before the transaction that requests it commits. */
    default boolean isRepeatable() {
        return true;
    }

    /**
     * Makes a call. It may be repeated after a crash, with the same idempotency key.
     *
     * @param arguments evaluated arguments of the task
     * @return its output; empty if a child process or a turn reports it later
     */
    Optional<Json> call(WorkRequest request, Json arguments, Cancellation cancellation)
            throws CallException, InterruptedException;
}

package dev.parley.platform.worker;

import dev.parley.platform.clock.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cancellation signal of a running call. Cancelling also interrupts the call's thread; a call blocked in something
 * that an interrupt does not end, such as a socket read, registers a hook that closes it.
 */
public final class Cancellation {
    private final List<Runnable> hooks = new ArrayList<>();
    private final Deadline deadline;
    private @Nullable Reason reason;

    /** Reasons for cancelling a call. */
    public enum Reason {
        /** The result is no longer needed. */
        CANCELLED,
        /** The call's deadline has passed. */
        DEADLINE,
        /** The worker is shutting down; another worker will run the call. */
        SHUTDOWN
    }

    /** The signal of a call that may take any time. */
    public Cancellation() {
        this(Deadline.NEVER);
    }

    /** @param deadline when the call is cancelled at the latest, or a little later */
    public Cancellation(Deadline deadline) {
        this.deadline = deadline;
    }

    /** When the result is no longer needed. What the call waits for ends then. */
    public Deadline deadline() {
        return deadline;
    }

    /** Whether the call has been cancelled. */
    public boolean requested() {
        return reason().isPresent();
    }

    /** The reason for the cancellation; empty if the call was not cancelled. */
    public synchronized Optional<Reason> reason() {
        return Optional.ofNullable(reason);
    }

    /**
     * Registers a short, non-blocking hook that runs on cancellation, or immediately if the call is already cancelled.
     */
    public void onCancel(Runnable hook) {
        synchronized (this) {
            if (reason == null) {
                hooks.add(hook);
                return;
            }
        }
        hook.run();
    }

    /** Cancels the call. Only the first reason counts. Returns whether this was the first cancellation. */
    public boolean cancel(Reason cause) {
        List<Runnable> pending;
        synchronized (this) {
            if (reason != null) {
                return false;
            }
            reason = cause;
            pending = List.copyOf(hooks);
            hooks.clear();
        }
        pending.forEach(Runnable::run);
        return true;
    }
}

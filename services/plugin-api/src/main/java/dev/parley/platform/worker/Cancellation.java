package dev.parley.platform.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells a running call to stop. Its thread is interrupted as well; a call that waits for something which an interrupt
 * does not end, such as a socket, closes it in a hook.
 */
public final class Cancellation {
    private final List<Runnable> hooks = new ArrayList<>();
    private @Nullable Reason reason;

    /** Why a call is to stop. */
    public enum Reason {
        /** Nobody wants the answer any more. */
        CANCELLED,
        /** Its time is up. */
        DEADLINE,
        /** The worker stops; another one will carry the call out. */
        SHUTDOWN
    }

    /** Whether the call is to stop. */
    public boolean requested() {
        return reason().isPresent();
    }

    /** Why the call is to stop, or empty as long as it is not. */
    public synchronized Optional<Reason> reason() {
        return Optional.ofNullable(reason);
    }

    /** Runs a short, non-blocking hook when the call is cancelled; at once where it already is. */
    public void onCancel(Runnable hook) {
        synchronized (this) {
            if (reason == null) {
                hooks.add(hook);
                return;
            }
        }
        hook.run();
    }

    /** Asks the call to stop; the first reason stands. Returns whether this was the first. */
    public boolean cancel(Reason why) {
        List<Runnable> now;
        synchronized (this) {
            if (reason != null) {
                return false;
            }
            reason = why;
            now = List.copyOf(hooks);
            hooks.clear();
        }
        now.forEach(Runnable::run);
        return true;
    }
}

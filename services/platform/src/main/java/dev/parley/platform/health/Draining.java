package dev.parley.platform.health;

import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Whether this process is shutting down: it still answers requests, but is not ready, so that load balancers stop
 * sending them.
 */
@Singleton
public final class Draining implements Readiness {
    private volatile boolean begun;

    /** Starts draining. */
    public void begin() {
        begun = true;
    }

    /** Whether draining has started. */
    boolean hasBegun() {
        return begun;
    }

    @Override
    public String name() {
        return "process";
    }

    @Override
    public Optional<String> problem() {
        return begun ? Optional.of("it stops") : Optional.empty();
    }
}

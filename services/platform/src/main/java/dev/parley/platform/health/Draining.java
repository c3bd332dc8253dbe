package dev.parley.platform.health;

import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Whether this process is shutting down: it still answers, but its readiness tells load balancers to send it nothing
 * more.
 */
@Singleton
public final class Draining implements Readiness {
    private volatile boolean begun;

    /** It is told to stop. */
    public void begin() {
        begun = true;
    }

    /** Whether it was told to stop. */
    boolean begun() {
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

package dev.parley.platform.clock;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Time for waits inside this process: it begins with the time of the machine and goes forward evenly, also when the
 * machine's clock is set. Instants of it mean nothing to other processes and are stored nowhere.
 */
public final class SteadyClock implements InstantSource {
    /** The clock of the process. */
    public static final InstantSource OF_PROCESS = new SteadyClock();

    private final Instant start = Instant.now();
    private final long startNanos = System.nanoTime();

    private SteadyClock() {}

    @Override
    public Instant instant() {
        return start.plusNanos(System.nanoTime() - startNanos);
    }
}

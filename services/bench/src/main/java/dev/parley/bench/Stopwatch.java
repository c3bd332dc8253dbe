package dev.parley.bench;

import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/** Wall and processor time since a start. */
final class Stopwatch {
    private final LongSupplier cpuNanos;
    private final long wallStart = System.nanoTime();
    private final long cpuStart;

    private Stopwatch(LongSupplier cpuNanos) {
        this.cpuNanos = cpuNanos;
        cpuStart = cpuNanos.getAsLong();
    }

    /** Starts with the processor time of this process. */
    static Stopwatch ofProcess() {
        return new Stopwatch(Bench::cpuNanos);
    }

    /**
     * Starts with the processor time of the current thread, which other load on the machine affects less than wall
     * time.
     */
    static Stopwatch ofThread() {
        return new Stopwatch(ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
    }

    double seconds() {
        return (System.nanoTime() - wallStart) / 1e9;
    }

    double cpuSeconds() {
        return (cpuNanos.getAsLong() - cpuStart) / 1e9;
    }

    /** The average number of busy cores. */
    double cores() {
        return cpuSeconds() / seconds();
    }
}

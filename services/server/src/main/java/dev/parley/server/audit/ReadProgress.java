package dev.parley.server.audit;

import java.io.PrintWriter;
import java.time.Duration;

/** Prints the progress of reading, every two seconds. */
public final class ReadProgress {
    private static final long INTERVAL = Duration.ofSeconds(2).toNanos();

    private final PrintWriter out;
    private long printedAt = System.nanoTime();

    public ReadProgress(PrintWriter out) {
        this.out = out;
    }

    /** Prints a message. */
    public void print(String text) {
        out.println(text);
        out.flush();
    }

    /** @param max the maximum: includes compacted records and transaction markers */
    void printRead(long read, long max) {
        if (System.nanoTime() - printedAt >= INTERVAL) {
            printedAt = System.nanoTime();
            print("  %,d of at most %,d records".formatted(read, max));
        }
    }
}

package dev.parley.server.audit;

import java.io.PrintWriter;
import java.time.Duration;

/** Prints the progress of reading, every two seconds. */
public final class Progress {
    private static final long EACH = Duration.ofSeconds(2).toNanos();

    private final PrintWriter out;
    private long told = System.nanoTime();

    public Progress(PrintWriter out) {
        this.out = out;
    }

    /** Prints a message. */
    public void say(String text) {
        out.println(text);
        out.flush();
    }

    /** @param all the maximum: compacted records and transaction markers are included */
    void read(long read, long all) {
        if (System.nanoTime() - told >= EACH) {
            told = System.nanoTime();
            say("  %,d of at most %,d records".formatted(read, all));
        }
    }
}

package dev.parley.server.audit;

import java.io.PrintWriter;
import java.time.Duration;

/** Tells every two seconds how far a reading is. */
public final class Progress {
    private static final long EACH = Duration.ofSeconds(2).toNanos();

    private final PrintWriter out;
    private long told = System.nanoTime();

    public Progress(PrintWriter out) {
        this.out = out;
    }

    /** Says something now. */
    public void say(String text) {
        out.println(text);
        out.flush();
    }

    /** @param all at most: records that were compacted away, and marks of transactions, are none */
    void read(long read, long all) {
        if (System.nanoTime() - told >= EACH) {
            told = System.nanoTime();
            say("  %,d of at most %,d records".formatted(read, all));
        }
    }
}

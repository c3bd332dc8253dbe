package dev.parley.platform.http.limit;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * The files that the process may have open: connections share them with the segments of the broker's log, the tables
 * and the database, whose failure ends the process.
 *
 * @param max the limit, as {@code ulimit -n} shows it; {@link Long#MAX_VALUE} where there is none
 */
public record OpenFiles(long max) {
    /** What an installation with the embedded broker needs for itself as it grows, twice over. */
    private static final long ENOUGH = 16_384;

    /** The limit of this process. The JVM has raised it to the hard limit. */
    public static OpenFiles current() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                        && system.getMaxFileDescriptorCount() > 0
                ? new OpenFiles(system.getMaxFileDescriptorCount())
                : new OpenFiles(Long.MAX_VALUE);
    }

    /** What to tell the operator about a low limit. */
    public Optional<String> warning(int connections) {
        return max >= ENOUGH
                ? Optional.empty()
                : Optional.of("The process may open only %,d files, so it takes at most %,d HTTP connections: allow %,d"
                                .formatted(max, connections, 4 * ENOUGH)
                        + " (ulimit -Hn, LimitNOFILE= of systemd, ulimits: nofile of compose)");
    }
}

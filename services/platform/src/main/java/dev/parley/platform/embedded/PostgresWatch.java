package dev.parley.platform.embedded;

import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts Postgres again when its postmaster ends: it was killed, ran out of memory, or could not write. Tries until it
 * succeeds, with pauses of at most 10 s, and says so.
 */
final class PostgresWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresWatch.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

    /** A log line for every so many failed attempts. */
    private static final int ATTEMPTS_PER_LINE = 6;

    private final PostgresCluster cluster;
    private final int port;
    private final Thread thread;

    private PostgresWatch(PostgresCluster cluster, int port) {
        this.cluster = cluster;
        this.port = port;
        this.thread = Thread.ofVirtual().name("postgres-watch").unstarted(this::run);
    }

    /** Watches a server that runs. */
    static PostgresWatch start(PostgresCluster cluster, int port) {
        var watch = new PostgresWatch(cluster, port);
        watch.thread.start();
        return watch;
    }

    private void run() {
        try {
            while (true) {
                cluster.awaitEnd();
                LOG.error("the embedded Postgres has ended: it is started again");
                startAgain();
            }
        } catch (InterruptedException e) {
            // close()
        } catch (IOException e) {
            LOG.atError().setCause(e).log("the embedded Postgres cannot be watched");
        }
    }

    private void startAgain() throws InterruptedException {
        long ended = System.nanoTime();
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; ; attempt++) {
            try {
                cluster.start(port);
                LOG.atWarn()
                        .addKeyValue("attempts", attempt)
                        .addKeyValue("ms", (System.nanoTime() - ended) / 1_000_000)
                        .log("the embedded Postgres runs again");
                return;
            } catch (IOException | StartupException e) {
                if (attempt % ATTEMPTS_PER_LINE == 1) {
                    LOG.atError()
                            .addKeyValue("attempts", attempt)
                            .addKeyValue("reason", e.getMessage())
                            .log("the embedded Postgres does not start; retrying");
                }
            }
            Thread.sleep(pause);
            Duration doubled = pause.multipliedBy(2);
            pause = doubled.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : doubled;
        }
    }

    /** Ends the watch, before the server is stopped. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(Duration.ofMillis(500));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

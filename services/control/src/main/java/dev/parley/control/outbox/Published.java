package dev.parley.control.outbox;

import dev.parley.platform.access.Directory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waits until what was committed is known to this process from the topic: then others know it, or ask for it. */
public final class Published {
    private static final Duration MOST = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final OutboxPublisher publisher;
    private final Directory directory;

    public Published(OutboxPublisher publisher, Directory directory) {
        this.publisher = publisher;
        this.directory = directory;
    }

    /**
     * Waits a moment. What is not there by then comes later: it is committed.
     *
     * @param key of the record
     * @param version it has, or null where there is to be none
     */
    public void await(String key, @Nullable Long version) {
        publisher.look();
        long until = System.nanoTime() + MOST.toNanos();
        while (!directory.shows(key, version) && System.nanoTime() < until) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}

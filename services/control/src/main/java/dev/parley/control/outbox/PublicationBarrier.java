package dev.parley.control.outbox;

import dev.parley.domain.definition.Definition;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.definitions.KafkaDefinitions;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waits until this instance has consumed a committed change from its topic, for at most 2 s. */
public final class PublicationBarrier {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(1);

    private final OutboxPublisher publisher;
    private final AccessFollower directory;
    private final KafkaDefinitions definitions;

    public PublicationBarrier(OutboxPublisher publisher, AccessFollower directory, KafkaDefinitions definitions) {
        this.publisher = publisher;
        this.directory = directory;
        this.definitions = definitions;
    }

    /**
     * Waits for a record. After the timeout the record is still published, later.
     *
     * @param key of the record
     * @param version of the record, or null for a tombstone
     */
    public void await(String key, @Nullable Long version) {
        await(() -> directory.shows(key, version));
    }

    /**
     * Waits for a definition.
     *
     * @param key of the record
     * @param definition the expected one, or null for a tombstone
     */
    public void awaitDefinition(String key, @Nullable Definition definition) {
        await(() -> definitions.shows(key, definition));
    }

    private void await(BooleanSupplier isKnown) {
        publisher.wake();
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!isKnown.getAsBoolean() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }
}

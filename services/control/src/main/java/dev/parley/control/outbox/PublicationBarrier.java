package dev.parley.control.outbox;

import dev.parley.domain.definition.Definition;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.definitions.KafkaDefinitions;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waits until what was committed is known to this process from its topic: then others know it, or ask for it. */
public final class PublicationBarrier {
    private static final Duration MOST = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final OutboxPublisher publisher;
    private final AccessFollower directory;
    private final KafkaDefinitions definitions;

    public PublicationBarrier(OutboxPublisher publisher, AccessFollower directory, KafkaDefinitions definitions) {
        this.publisher = publisher;
        this.directory = directory;
        this.definitions = definitions;
    }

    /**
     * Waits a moment. What is not there by then comes later: it is committed.
     *
     * @param key of the record
     * @param version it has, or null where there is to be none
     */
    public void await(String key, @Nullable Long version) {
        await(() -> directory.shows(key, version));
    }

    /**
     * The same for a definition.
     *
     * @param key of the record
     * @param definition that stands there then, or null where there is to be none
     */
    public void awaitDefinition(String key, @Nullable Definition definition) {
        await(() -> definitions.shows(key, definition));
    }

    private void await(BooleanSupplier isKnown) {
        publisher.look();
        long until = System.nanoTime() + MOST.toNanos();
        while (!isKnown.getAsBoolean() && System.nanoTime() < until) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}

package dev.parley.platform.service;

import java.util.Optional;

/** Something that runs as long as its process: a topology, a worker, a projector, a listener. */
public interface Service extends AutoCloseable {
    /** Its name in health and in messages. */
    String name();

    /** Starts it and returns; what goes on, goes on in its own threads. */
    void start();

    /** Why it is not ready for work, in words, or empty where it is. */
    Optional<String> problem();

    /**
     * What moves or is made ready at this moment, in words, while it takes what is asked of it all the same; empty where nothing does.
     * A start waits until it is over.
     */
    default Optional<String> moving() {
        return Optional.empty();
    }

    /** Stops it within seconds. Nothing that was acknowledged is lost. */
    @Override
    void close();
}

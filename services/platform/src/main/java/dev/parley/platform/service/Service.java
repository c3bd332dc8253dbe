package dev.parley.platform.service;

import java.util.Optional;

/** A component that runs as long as its process: a topology, a worker, a projector, a listener. */
public interface Service extends AutoCloseable {
    /** Name in health checks and messages. */
    String name();

    /** Starts the service, which runs on its own threads, and returns. */
    void start();

    /** The reason why the service is not ready, in words; empty if it is ready. */
    Optional<String> problem();

    /**
     * The reason why the service is temporarily slow although it accepts requests, in words, for example a rebalance;
     * empty if it is not slow. The start of the process waits until it is empty.
     */
    default Optional<String> moving() {
        return Optional.empty();
    }

    /** Stops the service within seconds, without losing acknowledged data. */
    @Override
    void close();
}

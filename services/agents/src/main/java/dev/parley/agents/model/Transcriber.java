package dev.parley.agents.model;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.worker.Cancellation;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Somebody who writes down what is said in a recording. Like a {@link ModelProvider} it does not retry. */
public interface Transcriber extends AutoCloseable {

    /** The name of the provider it belongs to. */
    String name();

    /**
     * Writes down one recording.
     *
     * @param agent whose model, key and options count
     * @param owner whose key may pay
     * @param bytes where its bytes are
     * @throws ModelFailure when there is no transcript
     * @throws InterruptedException when it was cancelled
     */
    Transcription transcribe(Agent agent, CallOwner owner, Block.File recording, Path bytes, Cancellation cancellation)
            throws ModelFailure, InterruptedException;

    /** Closes its connections, if it has any. */
    @Override
    default void close() {}

    /**
     * What was said.
     *
     * @param text empty where nothing can be understood
     * @param raw the provider's response, byte for byte, or null
     */
    record Transcription(String text, Usage usage, @Nullable String raw) {}
}

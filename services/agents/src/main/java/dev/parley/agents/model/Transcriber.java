package dev.parley.agents.model;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.worker.Cancellation;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Transcribes recordings. Like a {@link ModelProvider} it does not retry. */
public interface Transcriber extends AutoCloseable {

    /** The name of its provider. */
    String name();

    /**
     * Transcribes one recording.
     *
     * @param agent has the model, key and options
     * @param owner the owner of keys that may be used
     * @param bytes the file with its bytes
     * @throws ModelFailure when there is no transcript
     * @throws InterruptedException when it was cancelled
     */
    Transcription transcribe(Agent agent, CallOwner owner, Block.File recording, Path bytes, Cancellation cancellation)
            throws ModelFailure, InterruptedException;

    /** Closes the connections, if there are any. */
    @Override
    default void close() {}

    /**
     * A transcript.
     *
     * @param text empty where no speech is recognised
     * @param raw the provider's response, byte for byte, or null
     */
    record Transcription(String text, Usage usage, @Nullable String raw) {}
}

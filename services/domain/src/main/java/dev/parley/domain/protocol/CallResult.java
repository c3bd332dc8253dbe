package dev.parley.domain.protocol;

import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Patch;
import dev.parley.domain.protocol.origin.Payer;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A result or sign of life of a call, sent by a worker or a child session. May be duplicated, late or missing. */
public sealed interface CallResult extends TurnInput {
    UUID callId();

    int attempt();

    /**
     * The model answered.
     *
     * @param raw the provider's response, byte for byte, or null if there is none
     * @param payer owner of the API key that paid for it, or null if no key was needed
     */
    @RecordBuilder
    record ModelAnswered(
            UUID callId,
            int attempt,
            List<Block> blocks,
            FinishReason finish,
            Usage usage,
            String provider,
            String model,
            @Nullable String raw,
            @Nullable Payer payer)
            implements CallResult, CallResultModelAnsweredBuilder.With {
        public ModelAnswered {
            blocks = List.copyOf(blocks);
        }

        /** This answer with other blocks, and this raw response or none. */
        public ModelAnswered withContent(List<Block> blocks, @Nullable String response) {
            return new ModelAnswered(callId, attempt, blocks, finish, usage, provider, model, response, payer);
        }

        /** An answer that needed no API key. */
        public ModelAnswered(
                UUID callId,
                int attempt,
                List<Block> blocks,
                FinishReason finish,
                Usage usage,
                String provider,
                String model,
                @Nullable String raw) {
            this(callId, attempt, blocks, finish, usage, provider, model, raw, null);
        }
    }

    /**
     * The model call failed.
     *
     * @param detail for operators; never shown to users
     * @param retryAfter the back-off that the provider requested, or null
     * @param partial text generated until then
     */
    record ModelFailed(
            UUID callId,
            int attempt,
            ErrorCategory category,
            String detail,
            @Nullable Duration retryAfter,
            List<Block> partial)
            implements CallResult {
        public ModelFailed {
            partial = List.copyOf(partial);
        }
    }

    /**
     * The result of a tool call; {@code content} begins with {@code error: } unless the status is {@code COMPLETED}.
     *
     * @param files for the user
     * @param patches changes to files of the workspace
     */
    record ToolAnswered(
            UUID callId, int attempt, ToolStatus status, String content, List<Block.File> files, List<Patch> patches)
            implements CallResult {
        public ToolAnswered {
            files = List.copyOf(files);
            patches = List.copyOf(patches);
        }

        /** A result without files. */
        public ToolAnswered(UUID callId, int attempt, ToolStatus status, String content) {
            this(callId, attempt, status, content, List.of(), List.of());
        }
    }

    /**
     * Embedding vectors of texts, in their order.
     *
     * @param generation the embedding model and version
     */
    record Embedded(UUID callId, int attempt, String generation, List<Vector> vectors) implements CallResult {
        public Embedded {
            vectors = List.copyOf(vectors);
        }
    }

    /**
     * Matches that a bank found in its own index: per query, best first, each once.
     *
     * @param sightings in the order of the queries
     */
    record Found(UUID callId, int attempt, List<Sighting> sightings) implements CallResult {
        public Found {
            sightings = List.copyOf(sightings);
        }
    }

    /**
     * A match.
     *
     * @param id of a unit or a passage
     * @param score the higher, the better
     */
    record Sighting(String id, double score) {}

    /** The call is to be repeated after a delay, for example because of a rate limit. */
    record RetryAfter(UUID callId, int attempt, Duration delay, String reason) implements CallResult {}

    /** The worker renews its lease on the call. */
    record CallProgress(UUID callId, int attempt, String worker) implements CallResult {}

    /**
     * The result of work that a workflow process requested.
     *
     * @param output JSON; null if the work failed
     * @param error RFC 9457 problem as JSON; null if the work succeeded
     */
    record WorkAnswered(
            UUID callId,
            int attempt,
            @Nullable String output,
            @Nullable String error) implements CallResult {}

    /**
     * A person's finding about a tool call whose result is unknown.
     *
     * @param by id of the person
     * @param note the evidence, or null
     */
    record Settled(
            UUID callId,
            int attempt,
            CallOutcome outcome,
            String by,
            @Nullable String note) implements CallResult {
        /** A finding without a note. */
        public Settled(UUID callId, int attempt, CallOutcome outcome, String by) {
            this(callId, attempt, outcome, by, null);
        }
    }

    /** The turn of a child session ended. */
    record ChildFinished(UUID callId, int attempt, UUID turnId, TurnState state, String reply) implements CallResult {}
}

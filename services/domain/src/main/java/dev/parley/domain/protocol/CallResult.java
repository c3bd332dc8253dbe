package dev.parley.domain.protocol;

import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Patch;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a worker or a child session answers to a call. It may come twice, late or never. */
public sealed interface CallResult extends TurnInput {
    UUID callId();

    int attempt();

    /**
     * The model answered.
     *
     * @param raw the provider's response, byte for byte, or null where there is no such thing
     * @param payer whose key paid for it, or null where none was needed
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

        /** The same answer with other blocks, and with this response of its provider or none. */
        public ModelAnswered saying(List<Block> others, @Nullable String response) {
            return new ModelAnswered(callId, attempt, others, finish, usage, provider, model, response, payer);
        }

        /** The same answer, ended for this reason. */
        public ModelAnswered ending(FinishReason reason) {
            return new ModelAnswered(callId, attempt, blocks, reason, usage, provider, model, raw, payer);
        }

        /** An answer that needed no key. */
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
     * @param detail for operators; never shown in a chat
     * @param retryAfter how long the provider wants to be left alone, or null
     * @param partial what the model had said until then
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
     * The tool answered; {@code content} begins with {@code error: } where the status is not {@code COMPLETED}.
     *
     * @param files for the person
     * @param patches what it made of files of the workspace
     */
    record ToolAnswered(
            UUID callId, int attempt, ToolStatus status, String content, List<Block.File> files, List<Patch> patches)
            implements CallResult {
        public ToolAnswered {
            files = List.copyOf(files);
            patches = List.copyOf(patches);
        }

        /** An answer without files. */
        public ToolAnswered(UUID callId, int attempt, ToolStatus status, String content) {
            this(callId, attempt, status, content, List.of(), List.of());
        }
    }

    /**
     * What texts mean, in their order.
     *
     * @param generation what made the vectors
     */
    record Embedded(UUID callId, int attempt, String generation, List<Vector> vectors) implements CallResult {
        public Embedded {
            vectors = List.copyOf(vectors);
        }
    }

    /**
     * What a bank has found in itself: what each look found, the best first, and each thing once.
     *
     * @param sightings in the order of the looks
     */
    record Found(UUID callId, int attempt, List<Sighting> sightings) implements CallResult {
        public Found {
            sightings = List.copyOf(sightings);
        }
    }

    /**
     * A thing that was found.
     *
     * @param id of a unit or a passage
     * @param score the higher, the better
     */
    record Sighting(String id, double score) {}

    /** The call is to be made again after a while: a rate limit is an answer. */
    record RetryAfter(UUID callId, int attempt, Duration delay, String reason) implements CallResult {}

    /** The worker still has the call. */
    record CallProgress(UUID callId, int attempt, String worker) implements CallResult {}

    /**
     * A worker has done what a process of a workflow asked for.
     *
     * @param output JSON; null where it failed
     * @param error a problem of RFC 9457 as JSON; null where it did not fail
     */
    record WorkAnswered(
            UUID callId,
            int attempt,
            @Nullable String output,
            @Nullable String error) implements CallResult {}

    /**
     * What became of a tool call that nobody saw the end of.
     *
     * @param by the id of the person who found out
     */
    record Settled(UUID callId, int attempt, CallOutcome outcome, String by) implements CallResult {}

    /** The turn of a child session ended. */
    record ChildFinished(UUID callId, int attempt, UUID turnId, TurnState state, String reply) implements CallResult {}
}

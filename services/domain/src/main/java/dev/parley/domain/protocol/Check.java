package dev.parley.domain.protocol;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.GuardrailStage;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a guardrail check over a message, piece by piece and guardrail by guardrail.
 *
 * @param step number of the model call that the input precedes or the answer belongs to
 * @param blocks the message, as rewritten so far
 * @param answer the model's answer without its blocks; null for an input
 * @param piece index of the {@linkplain MessageTexts piece}
 * @param guard index of the guardrail within the stage
 * @param guardrail name of the guardrail whose tool is running; empty if none is
 * @param call the call of that tool, or null
 */
@RecordBuilder
public record Check(
        GuardrailStage stage,
        int step,
        List<Block> blocks,
        CallResult.@Nullable ModelAnswered answer,
        int piece,
        int guard,
        String guardrail,
        @Nullable ToolCall call)
        implements CheckBuilder.With {
    public Check {
        blocks = List.copyOf(blocks);
    }

    /** The check of an input. */
    public static Check ofInput(int step, List<Block> blocks) {
        return new Check(GuardrailStage.INPUT, step, blocks, null, 0, 0, "", null);
    }

    /** The check of a model's answer. */
    public static Check ofOutput(int step, CallResult.ModelAnswered answer) {
        var withoutBlocks = answer.withContent(List.of(), answer.raw());
        return new Check(GuardrailStage.OUTPUT, step, answer.blocks(), withoutBlocks, 0, 0, "", null);
    }

    /** The running guardrail tool call. Only valid if there is one. */
    public ToolCall toolCall() {
        return Objects.requireNonNull(call, "no tool is asked");
    }

    /** The answer as rewritten so far. Only valid for answers. */
    public CallResult.ModelAnswered checkedAnswer() {
        var withoutBlocks = Objects.requireNonNull(answer, "no answer to check");
        return withoutBlocks.withContent(blocks, withoutBlocks.raw());
    }

    /** Whether anything is left to check. */
    public boolean hasNext() {
        return piece < MessageTexts.count(blocks);
    }

    /** The text of the piece. */
    public String text() {
        return MessageTexts.text(blocks, piece);
    }

    /** Whether the piece is the arguments of a tool call. */
    public boolean isArguments() {
        return MessageTexts.isArguments(blocks, piece);
    }

    /** The tool whose arguments the piece is, or null. */
    public @Nullable String toolName() {
        return MessageTexts.toolName(blocks, piece);
    }

    /** Continues with the next piece and the first guardrail. */
    public Check nextPiece() {
        return withPiece(piece + 1).restart();
    }

    /** Restarts the piece with the first guardrail. */
    public Check restart() {
        return with().guard(0).guardrail("").call(null).build();
    }

    /**
     * Continues with the next guardrail.
     *
     * @param text the rewritten piece, or null if it is unchanged
     */
    public Check next(@Nullable String text) {
        CheckBuilder next = with().guard(guard + 1).guardrail("").call(null);
        if (text != null && !text.equals(text())) {
            next.blocks(MessageTexts.with(blocks, piece, text))
                    .answer(answer == null ? null : answer.withContent(List.of(), null));
        }
        return next.build();
    }

    /** Waits for a guardrail's tool. */
    public Check withToolCall(String rail, ToolCall tool) {
        return with().guardrail(rail).call(tool).build();
    }
}

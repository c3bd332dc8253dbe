package dev.parley.domain.protocol;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.GuardrailStage;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message that guardrails look at, piece by piece, one guardrail after the other.
 *
 * @param step number of the model call that it comes before or from
 * @param blocks the message, as far as it is rewritten
 * @param answer what the model answered, without its blocks; null for a message that came in
 * @param piece number of the {@linkplain MessageTexts piece}
 * @param guard number of the guardrail among those of the stage
 * @param guardrail name of the one whose tool is asked; empty where none is
 * @param call of that tool, or null
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

    /** Of a message that came in. */
    public static Check ofInput(int step, List<Block> blocks) {
        return new Check(GuardrailStage.INPUT, step, blocks, null, 0, 0, "", null);
    }

    /** Of what a model answered. */
    public static Check ofOutput(int step, CallResult.ModelAnswered answer) {
        var rest = answer.saying(List.of(), answer.raw());
        return new Check(GuardrailStage.OUTPUT, step, answer.blocks(), rest, 0, 0, "", null);
    }

    /** The call of the tool that is asked; call it only where one is. */
    public ToolCall asked() {
        return Objects.requireNonNull(call, "no tool is asked");
    }

    /** The answer as it is now; call it only where there is one. */
    public CallResult.ModelAnswered answered() {
        var rest = Objects.requireNonNull(answer, "nobody answered");
        return rest.saying(blocks, rest.raw());
    }

    /** Whether there is anything left to look at. */
    public boolean isIn() {
        return piece < MessageTexts.count(blocks);
    }

    /** What the piece says. */
    public String text() {
        return MessageTexts.text(blocks, piece);
    }

    /** Whether the piece is arguments of a call. */
    public boolean isArguments() {
        return MessageTexts.isArguments(blocks, piece);
    }

    /** The tool whose arguments the piece is, or null. */
    public @Nullable String calls() {
        return MessageTexts.calls(blocks, piece);
    }

    /** The next piece, from the first guardrail on. */
    public Check nextPiece() {
        return withPiece(piece + 1).again();
    }

    /** The same piece once more, from the first guardrail on. */
    public Check again() {
        return with().guard(0).guardrail("").call(null).build();
    }

    /** With what a guardrail made of the piece, for the next one. @param text in its place, or null where it stays */
    public Check after(@Nullable String text) {
        CheckBuilder next = with().guard(guard + 1).guardrail("").call(null);
        if (text != null && !text.equals(text())) {
            next.blocks(MessageTexts.with(blocks, piece, text))
                    .answer(answer == null ? null : answer.saying(List.of(), null));
        }
        return next.build();
    }

    /** The tool of a guardrail is asked. */
    public Check asking(String rail, ToolCall tool) {
        return with().guardrail(rail).call(tool).build();
    }
}

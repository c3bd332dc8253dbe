package dev.parley.agents.model;

import dev.parley.agents.model.wire.ProviderTranscript;
import dev.parley.agents.model.wire.StreamedText;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.protocol.origin.Payer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a model.
 *
 * @param model the model that answered, possibly with its version, see {@link #nameOf}
 * @param raw the provider's response, byte for byte, or null where there is none or it is too long
 * @param payer the owner of the key, or null where none was needed
 */
public record ModelAnswer(
        List<Block> blocks,
        FinishReason finish,
        Usage usage,
        String model,
        @Nullable String raw,
        @Nullable Payer payer) {
    public ModelAnswer {
        blocks = blocks.stream().map(ModelAnswer::replaceUnpairedSurrogates).toList();
    }

    /** An answer without a payer. */
    public ModelAnswer(List<Block> blocks, FinishReason finish, Usage usage, String model, @Nullable String raw) {
        this(blocks, finish, usage, model, raw, null);
    }

    /**
     * The model name that an answer is stored under: the answered name if it only adds a version to the requested one,
     * else the requested name, which is an alias then.
     */
    public static String nameOf(String requested, String answered) {
        return ProviderTranscript.sameModel(requested, answered) ? answered : requested;
    }

    /** A copy of the answer with this usage. */
    ModelAnswer withUsage(Usage counted) {
        return new ModelAnswer(blocks, finish, counted, model, raw, payer);
    }

    /** A copy of the answer with this payer; null where no key was needed. */
    public ModelAnswer paidBy(@Nullable Payer payer) {
        return new ModelAnswer(blocks, finish, usage, model, raw, payer);
    }

    /** The result of the request that this answers. */
    public ModelAnswered result(ModelRequest request) {
        return new ModelAnswered(
                request.callId(),
                request.attempt(),
                blocks,
                finish,
                usage,
                request.agent().provider(),
                model,
                raw,
                payer);
    }

    private static Block replaceUnpairedSurrogates(Block block) {
        return switch (block) {
            case Block.Text text -> new Block.Text(StreamedText.replaceUnpairedSurrogates(text.text()), text.raw());
            case Block.Thinking thinking ->
                new Block.Thinking(
                        StreamedText.replaceUnpairedSurrogates(thinking.text()), thinking.signature(), thinking.raw());
            case Block.ToolCall call ->
                new Block.ToolCall(
                        StreamedText.replaceUnpairedSurrogates(call.id()),
                        StreamedText.replaceUnpairedSurrogates(call.name()),
                        StreamedText.replaceUnpairedSurrogates(call.arguments()),
                        call.raw());
            case Block.ToolResult _, Block.RedactedThinking _, Block.File _, Block.Raw _ -> block;
        };
    }
}

package dev.parley.agents.model;

import dev.parley.domain.content.Block;
import dev.parley.domain.turn.FinishReason;
import dev.parley.domain.turn.Usage;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a model answered.
 *
 * @param model the model that answered, which may be a more exact name than the one that was asked
 * @param raw the provider's response, byte for byte, or null where there is no such thing
 */
public record ModelAnswer(
        List<Block> blocks,
        FinishReason finish,
        Usage usage,
        String model,
        @Nullable String raw) {
    private static final Pattern HALF_PAIR = Pattern.compile("\\p{Cs}");

    public ModelAnswer {
        blocks = blocks.stream().map(ModelAnswer::whole).toList();
    }

    private static Block whole(Block block) {
        return switch (block) {
            case Block.Text said -> new Block.Text(whole(said.text()), said.raw());
            case Block.Thinking thought ->
                new Block.Thinking(whole(thought.text()), thought.signature(), thought.raw());
            case Block.ToolCall call ->
                new Block.ToolCall(whole(call.id()), whole(call.name()), whole(call.arguments()), call.raw());
            case Block.ToolResult _, Block.RedactedThinking _, Block.File _, Block.Raw _ -> block;
        };
    }

    /** The text with a replacement character for each half of a surrogate pair, which no record can hold. */
    static String whole(String text) {
        return HALF_PAIR.matcher(text).replaceAll("\uFFFD");
    }
}

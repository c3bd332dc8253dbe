package dev.parley.agents.model;

import dev.parley.domain.content.Block;
import dev.parley.domain.turn.FinishReason;
import dev.parley.domain.turn.Usage;
import java.util.List;
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
    public ModelAnswer {
        blocks = List.copyOf(blocks);
    }
}

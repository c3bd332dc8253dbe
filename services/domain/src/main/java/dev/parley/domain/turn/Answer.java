package dev.parley.domain.turn;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.protocol.FinishReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * What counts of a model's answer.
 *
 * @param interrupted the turn was cancelled, or the call failed, while the model spoke
 * @param toolsAllowed whether the model was offered tools
 */
record Answer(List<Block> blocks, FinishReason finish, boolean interrupted, boolean toolsAllowed) {

    /** The calls that are carried out, in call order; none of an answer that is not whole. */
    List<Block.ToolCall> calls() {
        return isWhole() && toolsAllowed ? Message.toolCalls(blocks) : List.of();
    }

    /**
     * What later model calls are shown of it, perhaps nothing. A call that nobody carries out is left out, and with it
     * the reasoning that led to it, which providers refuse alone.
     */
    List<Block> kept() {
        boolean all = isWhole() && (toolsAllowed || Message.toolCalls(blocks).isEmpty());
        return blocks.stream()
                .filter(block -> all || block instanceof Block.Text)
                .map(block -> all ? block : Block.text(((Block.Text) block).text()))
                // An empty item of a provider stays: the reasoning before it is refused without it.
                .filter(block ->
                        !(block instanceof Block.Text text && text.text().isBlank() && text.raw() == null))
                .toList();
    }

    private boolean isWhole() {
        return !interrupted && finish != FinishReason.ERROR && finish != FinishReason.CONTENT_FILTER;
    }

    /** The same blocks with another id for each call that repeats one, so that every result finds its call. */
    static List<Block> withUniqueIds(List<Block> blocks) {
        var ids = new HashSet<String>();
        var unique = new ArrayList<Block>();
        for (Block block : blocks) {
            if (block instanceof Block.ToolCall call && !ids.add(call.id())) {
                String id = call.id() + "_" + unique.size();
                ids.add(id);
                unique.add(new Block.ToolCall(id, call.name(), call.arguments(), null));
            } else {
                unique.add(block);
            }
        }
        return unique;
    }
}

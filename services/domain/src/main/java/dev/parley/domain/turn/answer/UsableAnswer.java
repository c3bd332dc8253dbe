package dev.parley.domain.turn.answer;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.protocol.FinishReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The usable part of a model's answer.
 *
 * @param interrupted whether the turn was cancelled, or the call failed, while the model was streaming
 * @param toolsAllowed whether the model was allowed to call tools
 */
public record UsableAnswer(List<Block> blocks, FinishReason finish, boolean interrupted, boolean toolsAllowed) {

    /** The tool calls to execute, in order; none if the answer is incomplete. */
    public List<Block.ToolCall> calls() {
        return isWhole() && toolsAllowed ? Message.toolCalls(blocks) : List.of();
    }

    /**
     * The blocks that later model calls are shown; may be empty. Tool calls that are not executed are left out,
     * together with the reasoning before them, which providers reject without the call.
     */
    public List<Block> keptBlocks() {
        boolean keepAll =
                isWhole() && (toolsAllowed || Message.toolCalls(blocks).isEmpty());
        return blocks.stream()
                .filter(block -> keepAll || block instanceof Block.Text)
                .map(block -> keepAll ? block : Block.text(((Block.Text) block).text()))
                // An empty provider item stays: providers reject the reasoning before it without the item.
                .filter(block -> !block.isBlank() || block.raw() != null)
                .toList();
    }

    private boolean isWhole() {
        return !interrupted && finish != FinishReason.ERROR && finish != FinishReason.CONTENT_FILTER;
    }

    /** The blocks with duplicate tool call ids replaced, so that each result belongs to one call. */
    public static List<Block> withUniqueIds(List<Block> blocks) {
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

package dev.parley.domain.content;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message in a model's context.
 *
 * @param interrupted whether the model was interrupted: stored, and never replayed as complete
 * @param provider family of the provider that produced it, or null for people and tools
 * @param model the model that produced it, or null
 */
public record Message(
        Role role,
        List<Block> blocks,
        boolean interrupted,
        @Nullable String provider,
        @Nullable String model) {
    public Message {
        Objects.requireNonNull(role, "role");
        blocks = List.copyOf(blocks);
    }

    /** A message of one text block. */
    public static Message text(Role role, String text) {
        return new Message(role, List.of(Block.text(text)), false, null, null);
    }

    /** An assistant message of one tool call. */
    public static Message toolCall(String id, String name, String arguments) {
        return new Message(Role.ASSISTANT, List.of(new Block.ToolCall(id, name, arguments, null)), false, null, null);
    }

    /** A tool message of one result. */
    public static Message toolResult(String toolCallId, String content, boolean isError) {
        return new Message(
                Role.TOOL, List.of(new Block.ToolResult(toolCallId, content, isError, null)), false, null, null);
    }

    /** All text blocks, joined. */
    public String text() {
        return text(blocks);
    }

    /** The text of these blocks, joined; transcripts are on lines of their own. */
    public static String text(List<Block> blocks) {
        var text = new StringBuilder();
        boolean spoken = false;
        for (Block block : blocks) {
            String blockText = text(block);
            boolean recording = block instanceof Block.File;
            if (!blockText.isEmpty()) {
                text.append(text.isEmpty() || !(spoken || recording) ? "" : "\n")
                        .append(blockText);
                spoken = recording;
            }
        }
        return text.toString();
    }

    private static String text(Block block) {
        return switch (block) {
            case Block.Text text -> text.text();
            case Block.File file -> Objects.requireNonNullElse(file.transcript(), "");
            case Block.ToolCall _, Block.ToolResult _, Block.Thinking _, Block.RedactedThinking _, Block.Raw _ -> "";
        };
    }

    /** The tool calls in order. */
    public static List<Block.ToolCall> toolCalls(List<Block> blocks) {
        return blocks.stream()
                .filter(Block.ToolCall.class::isInstance)
                .map(Block.ToolCall.class::cast)
                .toList();
    }

    /** The files in order. */
    public static List<Block.File> files(List<Block> blocks) {
        return blocks.stream()
                .filter(Block.File.class::isInstance)
                .map(Block.File.class::cast)
                .toList();
    }

    /** Approximate size in a request in bytes. */
    public int weight() {
        return blocks.stream().mapToInt(Block::weight).sum();
    }
}

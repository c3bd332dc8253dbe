package dev.parley.domain.protocol;

import dev.parley.domain.content.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a message that guardrails check separately: the text of all blocks, then each recording's transcript
 * and each call's arguments. Number and order of the pieces stay when one is rewritten.
 */
public final class MessageTexts {
    private MessageTexts() {}

    /** The number of pieces; the first one always exists, even if it is empty. */
    static int count(List<Block> blocks) {
        return 1 + others(blocks).size();
    }

    private static List<Integer> others(List<Block> blocks) {
        return IntStream.range(0, blocks.size())
                .filter(i -> switch (blocks.get(i)) {
                    case Block.File file -> file.transcript() != null;
                    case Block.ToolCall _ -> true;
                    case Block.Text _, Block.ToolResult _, Block.Thinking _, Block.RedactedThinking _, Block.Raw _ ->
                        false;
                })
                .boxed()
                .toList();
    }

    static String text(List<Block> blocks, int piece) {
        return piece == 0
                ? blocks.stream().flatMap(MessageTexts::texts).collect(Collectors.joining())
                : text(blocks.get(others(blocks).get(piece - 1)));
    }

    private static Stream<String> texts(Block block) {
        return block instanceof Block.Text text ? Stream.of(text.text()) : Stream.empty();
    }

    private static String text(Block block) {
        return switch (block) {
            case Block.File file when file.transcript() != null -> file.transcript();
            case Block.ToolCall call -> call.arguments();
            case Block.File _,
                    Block.Text _,
                    Block.ToolResult _,
                    Block.Thinking _,
                    Block.RedactedThinking _,
                    Block.Raw _ -> "";
        };
    }

    /** The tool whose arguments the piece is, or null. */
    static @Nullable String toolName(List<Block> blocks, int piece) {
        return piece > 0 && blocks.get(others(blocks).get(piece - 1)) instanceof Block.ToolCall call
                ? call.name()
                : null;
    }

    /** Whether the piece is arguments of a tool call, normally JSON. */
    static boolean isArguments(List<Block> blocks, int piece) {
        return piece > 0 && blocks.get(others(blocks).get(piece - 1)) instanceof Block.ToolCall;
    }

    /** The {@linkplain #bare bare} blocks with one piece replaced. */
    static List<Block> with(List<Block> blocks, int piece, String text) {
        int index = piece > 0 ? others(blocks).get(piece - 1) : firstText(blocks);
        var changed = new ArrayList<Block>();
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            if (i == index) {
                changed.add(rewritten(block, text));
            } else if (piece > 0 || !(block instanceof Block.Text)) {
                changed.add(block);
            }
        }
        return bare(changed);
    }

    private static int firstText(List<Block> blocks) {
        return IntStream.range(0, blocks.size())
                .filter(i -> blocks.get(i) instanceof Block.Text)
                .findFirst()
                .orElse(-1);
    }

    private static Block rewritten(Block block, String text) {
        return switch (block) {
            case Block.File file -> file.withTranscript(text);
            case Block.ToolCall call -> new Block.ToolCall(call.id(), call.name(), text, null);
            case Block.Text _, Block.ToolResult _, Block.Thinking _, Block.RedactedThinking _, Block.Raw _ ->
                Block.text(text);
        };
    }

    /** The blocks without reasoning and provider-only items, which could repeat what was removed. */
    public static List<Block> bare(List<Block> blocks) {
        return blocks.stream()
                .map(block -> block instanceof Block.ToolResult ? Optional.of(block) : block.portable())
                .flatMap(Optional::stream)
                .toList();
    }

    /** Whether anything that {@link #bare} removes matches. */
    public static boolean hides(List<Block> blocks, Predicate<String> matcher) {
        return blocks.stream()
                .flatMap(block -> Stream.concat(
                        block instanceof Block.Thinking thinking ? Stream.of(thinking.text()) : Stream.empty(),
                        Stream.ofNullable(block.raw()).map(item -> item.json())))
                .anyMatch(matcher);
    }
}

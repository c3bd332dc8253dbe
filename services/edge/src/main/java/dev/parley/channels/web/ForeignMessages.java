package dev.parley.channels.web;

import dev.parley.channels.web.ForeignConversation.LeftOut;
import dev.parley.channels.web.ForeignConversation.Origin;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The messages of a conversation that is being read. Calls and results are paired, as providers require: a missing
 * result is replaced with an error, a result without a call is omitted.
 */
final class ForeignMessages {
    private static final String EMPTY = "it has no content";
    private static final String NO_RESULT = "no result of this call is known";

    private final List<LeftOut> leftOut = new ArrayList<>();
    private final Map<String, List<Item>> marks = new HashMap<>();
    private List<Item> items = new ArrayList<>();
    private int index;

    private record Item(int index, Message message) {}

    List<Message> messages() {
        return items.stream().map(Item::message).toList();
    }

    List<LeftOut> leftOut() {
        return leftOut;
    }

    /** Goes on with the next message of the source. */
    void next() {
        index++;
    }

    /** Reports that the message of the source, or a part of it, is left out. */
    void omit(String reason) {
        leftOut.add(new LeftOut(index, reason));
    }

    void clear() {
        items = new ArrayList<>();
    }

    /** Remembers the messages so far under a name. */
    void mark(String name) {
        marks.put(name, List.copyOf(items));
    }

    /** Returns to the messages of a mark; does nothing without it. */
    void rewind(String name) {
        items = new ArrayList<>(marks.getOrDefault(name, items));
    }

    void addMessage(Role role, List<Block> blocks) {
        if (blocks.isEmpty()) {
            throw new IllegalArgumentException(EMPTY);
        }
        items.add(new Item(index, new Message(role, blocks, false, null, null)));
    }

    void addAnswer(List<Block> blocks, Origin from) {
        if (blocks.isEmpty()) {
            throw new IllegalArgumentException(EMPTY);
        }
        items.add(new Item(index, new Message(Role.ASSISTANT, blocks, false, from.provider(), from.model())));
    }

    void addResult(String callId, String content, boolean isError) {
        items.add(new Item(index, Message.toolResult(callId, content, isError)));
    }

    /** Adds a block to the last message if that is an answer to which it belongs, and otherwise as another answer. */
    void append(Block block, Predicate<Message> belongsTo, Origin from) {
        if (block.isBlank()) {
            throw new IllegalArgumentException(EMPTY);
        }
        Item last = items.isEmpty() ? null : items.getLast();
        if (last == null || last.message().role() != Role.ASSISTANT || !belongsTo.test(last.message())) {
            addAnswer(List.of(block), from);
            return;
        }
        var blocks = new ArrayList<>(last.message().blocks());
        blocks.add(block);
        items.removeLast();
        items.add(new Item(
                last.index(),
                new Message(
                        Role.ASSISTANT,
                        blocks,
                        false,
                        last.message().provider(),
                        last.message().model())));
    }

    /** Gives each call exactly one result. */
    void pair() {
        var paired = new ArrayList<Item>();
        Map<String, Item> missing = new LinkedHashMap<>();
        for (Item item : items) {
            if (item.message().role() != Role.TOOL) {
                paired.addAll(missing.values());
                paired.add(item);
                missing = missingResults(item);
            } else if (missing.remove(callId(item)) != null) {
                paired.add(item);
            } else {
                leftOut.add(new LeftOut(item.index(), "no call precedes this result"));
            }
        }
        paired.addAll(missing.values());
        items = paired;
    }

    private static String callId(Item result) {
        return ((Block.ToolResult) result.message().blocks().getFirst()).toolCallId();
    }

    /** An error for each call of a message, by the id of the call. */
    private static Map<String, Item> missingResults(Item item) {
        Map<String, Item> missing = new LinkedHashMap<>();
        for (Block.ToolCall call : Message.toolCalls(item.message().blocks())) {
            missing.put(call.id(), new Item(item.index(), Message.toolResult(call.id(), NO_RESULT, true)));
        }
        return missing;
    }
}

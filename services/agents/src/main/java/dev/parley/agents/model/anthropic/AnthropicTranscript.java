package dev.parley.agents.model.anthropic;

import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.content.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A conversation in the form that the API requires: the user's message comes first and last, roles alternate, and each
 * tool call has its result at the beginning of the next message. Content that has no place in that form becomes text.
 */
final class AnthropicTranscript {
    private static final String BEGINNING = "[What was said before this is not shown.]";
    private static final String GO_ON = "[Go on.]";
    private static final String NO_RESULT = "[There is no result of this call.]";
    private static final String RESULT = "[The result of a tool call that is not shown:]\n";
    private static final Pattern ID = Pattern.compile("[a-zA-Z0-9_-]+");

    private final List<MessageParam> turns = new ArrayList<>();
    private final Set<String> tools = new LinkedHashSet<>();
    private final Set<String> ids = new HashSet<>();
    private final boolean thinking;
    /** The calls of the last message, whose results are pending. */
    private List<Asked> calls = List.of();

    /** A message of the API. */
    record MessageParam(boolean assistant, List<ContentPart> parts) {}

    /** A tool call: its id in the conversation, and its id in the request. */
    private record Asked(String id, String written) {}

    private record Group(boolean assistant, List<Block> blocks) {}

    /**
     * Converts a conversation.
     *
     * @param paused the blocks of a paused answer that the model is to continue; empty for none
     * @param thinking whether earlier thinking is sent
     */
    AnthropicTranscript(List<Message> messages, List<Block> paused, boolean thinking) {
        this.thinking = thinking;
        for (Group group : groups(messages)) {
            if (turns.isEmpty() && group.assistant()) {
                turns.add(new MessageParam(false, List.of(new ContentPart.Text(BEGINNING))));
            }
            turns.add(group.assistant() ? assistant(group.blocks()) : user(group.blocks()));
        }
        if (turns.isEmpty() || turns.getLast().assistant()) {
            MessageParam results = user(List.of());
            turns.add(
                    results.parts().isEmpty()
                            ? new MessageParam(false, List.of(new ContentPart.Text(GO_ON)))
                            : results);
        }
        if (!paused.isEmpty()) {
            turns.add(assistant(paused));
        }
    }

    List<MessageParam> turns() {
        return turns;
    }

    /** The names of all called tools. */
    Set<String> tools() {
        return tools;
    }

    /** Whether the model may think: it cannot start to within a turn that began without thinking. */
    boolean mayThink() {
        MessageParam first = null;
        for (MessageParam turn : turns.reversed()) {
            if (turn.assistant()) {
                first = turn;
            } else if (turn.parts().stream().noneMatch(ContentPart.Result.class::isInstance)) {
                break;
            }
        }
        return first == null || (first.parts().getFirst() instanceof ContentPart.Item item && item.isThinking());
    }

    private List<Group> groups(List<Message> messages) {
        var groups = new ArrayList<Group>();
        for (Message message : messages) {
            boolean assistant = message.role() == Role.ASSISTANT;
            List<Block> blocks = assistant ? sendable(message.blocks()) : message.blocks();
            if (blocks.isEmpty()) {
                continue;
            }
            if (!groups.isEmpty() && groups.getLast().assistant() == assistant) {
                groups.getLast().blocks().addAll(blocks);
            } else {
                groups.add(new Group(assistant, new ArrayList<>(blocks)));
            }
        }
        return groups;
    }

    private List<Block> sendable(List<Block> blocks) {
        Set<String> answered = blocks.stream()
                .filter(Block.Raw.class::isInstance)
                .map(block -> member(block, "tool_use_id"))
                .collect(Collectors.toSet());
        var sent = new ArrayList<Block>();
        blocks.stream().filter(block -> isSendable(block, answered)).forEach(sent::add);
        while (!sent.isEmpty() && isThinking(sent.getLast())) {
            sent.removeLast(); // the API rejects thinking at the end of a message
        }
        return sent;
    }

    /** @param answered the ids of the calls of the provider's own tools that have a result */
    private boolean isSendable(Block block, Set<String> answered) {
        return switch (block) {
            case Block.Text text -> !text.isBlank();
            case Block.Thinking thought -> thinking && isSigned(thought);
            case Block.RedactedThinking redacted -> thinking && redacted.raw() != null;
            case Block.Raw raw -> !raw.raw().type().endsWith("tool_use") || answered.contains(member(raw, "id"));
            case Block.ToolCall _ -> true;
            case Block.ToolResult _, Block.File _ -> false;
        };
    }

    private static boolean isSigned(Block.Thinking thought) {
        String signature = thought.signature();
        return thought.raw() != null && signature != null && !signature.isEmpty();
    }

    private static boolean isThinking(Block block) {
        return block instanceof Block.Thinking || block instanceof Block.RedactedThinking;
    }

    private static String member(Block block, String name) {
        ProviderItem raw = block.raw();
        return raw == null ? "" : VerbatimJson.orMissing(raw.json()).at(name).string();
    }

    private MessageParam assistant(List<Block> blocks) {
        calls = new ArrayList<>();
        var parts = new ArrayList<ContentPart>();
        for (Block block : blocks) {
            ProviderItem raw = block.raw();
            String id = block instanceof Block.ToolCall call ? registerCall(call) : "";
            if (raw != null) {
                parts.add(new ContentPart.Item(raw.type(), raw.json()));
            } else if (block instanceof Block.Text text) {
                parts.add(new ContentPart.Text(text.text()));
            } else if (block instanceof Block.ToolCall call) {
                parts.add(new ContentPart.Call(id, call.name(), call.arguments()));
            }
        }
        return new MessageParam(true, parts);
    }

    private String registerCall(Block.ToolCall call) {
        String id = call.raw() == null ? acceptedId(call.id()) : call.id();
        tools.add(call.name());
        ids.add(id);
        calls.add(new Asked(call.id(), id));
        return id;
    }

    /** The id of another provider in the characters that the API accepts, unique in this conversation. */
    private String acceptedId(String id) {
        String plain = ID.matcher(id).matches()
                ? id
                : id.replaceAll("[^a-zA-Z0-9_-]", "_") + "_" + Integer.toHexString(id.hashCode());
        String unique = plain;
        for (int i = 2; ids.contains(unique); i++) {
            unique = plain + "_" + i;
        }
        return unique;
    }

    private MessageParam user(List<Block> blocks) {
        var results = new HashMap<String, Block.ToolResult>();
        var others = new ArrayList<ContentPart>();
        for (Block block : blocks) {
            switch (block) {
                case Block.Text text -> others.add(new ContentPart.Text(text.text()));
                case Block.File file -> others.add(new ContentPart.Attached(file));
                case Block.ToolResult result ->
                    findAnsweredCall(result, results.keySet())
                            .ifPresentOrElse(
                                    id -> results.put(id, result),
                                    () -> others.add(new ContentPart.Text(RESULT + result.content())));
                case Block.ToolCall _, Block.Thinking _, Block.RedactedThinking _, Block.Raw _ -> {}
            }
        }
        Stream<ContentPart> first = calls.stream().map(call -> result(call.written(), results.get(call.written())));
        List<ContentPart> parts = Stream.concat(first, others.stream()).toList();
        calls = List.of();
        return new MessageParam(false, parts);
    }

    private static ContentPart result(String id, Block.@Nullable ToolResult result) {
        return result == null
                ? new ContentPart.Result(id, NO_RESULT, true)
                : new ContentPart.Result(id, result.content(), result.isError());
    }

    /** The request id of the call that a result answers: the first with its id that has no result yet. */
    private Optional<String> findAnsweredCall(Block.ToolResult result, Set<String> answeredIds) {
        return calls.stream()
                .filter(call -> call.id().equals(result.toolCallId()) && !answeredIds.contains(call.written()))
                .map(Asked::written)
                .findFirst();
    }
}

package dev.parley.channels.web;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Parser of conversations of other systems. Unreadable messages are omitted and reported. Calls and results are paired,
 * as providers require: a missing result is replaced with an error, a result without a call is omitted.
 */
final class ForeignConversation {
    /** Format of a conversation. */
    enum Format {
        /** Messages of OpenAI's chat completions. */
        OPENAI,
        /** Input items of OpenAI's Responses API, and whole responses; items go back to their model unchanged. */
        OPENAI_RESPONSES,
        /** Messages of Anthropic's Messages API. */
        ANTHROPIC,
        /**
         * Rows of a kind, a text, and data. {@code tool_call} has {@code id}, {@code name} and {@code arguments};
         * {@code tool_result}, or {@code tool}, has {@code tool_call_id}, {@code output} and {@code success}.
         * {@code clear}, {@code mark} and {@code rewind} change the model context from there on.
         */
        ROWS
    }

    /** An omitted message. */
    @Serdeable
    @Schema(name = "ConversationOmission", description = "An omitted message of a conversation.")
    record LeftOut(
            @Schema(description = "Index of the message, from 0.")
            int message,

            @Schema(description = "Reason for the omission.")
            String reason) {}

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");
    private static final String NO_RESULT = "no result of this call is known";

    private final JsonMapper json;
    private final Format format;
    private final List<LeftOut> leftOut = new ArrayList<>();
    private final Map<String, List<Item>> marks = new HashMap<>();
    private final ResponseItems responses;
    private List<Item> items = new ArrayList<>();
    private int index;

    private record Item(int index, Message message) {}

    private ForeignConversation(JsonMapper json, Format format) {
        this.json = json;
        this.format = format;
        responses = new ResponseItems(json);
    }

    /** Parses messages in order. */
    static ForeignConversation read(JsonMapper json, Format format, List<JsonNode> messages) {
        var read = new ForeignConversation(json, format);
        for (JsonNode message : messages) {
            read.add(Objects.requireNonNullElse(message, JsonNode.nullNode()));
            read.index++;
        }
        read.pair();
        return read;
    }

    /** The messages for the model. */
    List<Message> messages() {
        return items.stream().map(Item::message).toList();
    }

    List<LeftOut> leftOut() {
        return leftOut;
    }

    private void add(JsonNode message) {
        try {
            switch (format) {
                case OPENAI -> openAi(message);
                case OPENAI_RESPONSES -> openAiResponses(message);
                case ANTHROPIC -> anthropic(message);
                case ROWS -> row(message);
            }
        } catch (IllegalArgumentException e) {
            omit(String.valueOf(e.getMessage()));
        }
    }

    private void omit(String reason) {
        leftOut.add(new LeftOut(index, reason));
    }

    private void openAi(JsonNode message) {
        switch (text(message, "role")) {
            case "user" -> addMessage(Role.USER, openAiText(message));
            case "assistant" -> {
                var blocks = new ArrayList<>(openAiText(message));
                for (JsonNode call : values(message.get("tool_calls"))) {
                    JsonNode function = call.get("function");
                    blocks.add(call(
                            text(call, "id"),
                            text(function, "name"),
                            function == null ? null : function.get("arguments")));
                }
                addMessage(Role.ASSISTANT, blocks);
            }
            case "tool" -> addResult(text(message, "tool_call_id"), Message.text(openAiText(message)), false);
            case "system", "developer" -> omit("instructions come from the agent");
            default -> throw new IllegalArgumentException("its role is not one of user, assistant, tool and system");
        }
    }

    private List<Block> openAiText(JsonNode message) {
        return texts(message.get("content"), List.of("text", "input_text", "output_text"));
    }

    /** An input item, or a response with its model and its output. */
    private void openAiResponses(JsonNode message) {
        JsonNode output = message.isObject() ? message.get("output") : null;
        boolean isResponse = output != null && output.isArray() && message.get("call_id") == null;
        if (!isResponse) {
            responseItem(message, null);
            return;
        }
        String model = string(message.get("model"));
        for (JsonNode item : values(output)) {
            try {
                responseItem(item, model);
            } catch (IllegalArgumentException e) {
                omit(String.valueOf(e.getMessage()));
            }
        }
    }

    private void responseItem(JsonNode item, @Nullable String model) {
        String type = item.isObject() && item.get("type") == null ? "message" : text(item, "type");
        if (type.equals("message") && !"assistant".equals(string(item.get("role")))) {
            openAi(item);
        } else if (type.endsWith("_output")) {
            String output = output(item);
            addResult(text(item, "call_id"), output, false);
        } else {
            answer(responses.block(type, item), model);
        }
    }

    /** The items of one model response are one message, because reasoning belongs to what follows it. */
    private void answer(Block block, @Nullable String model) {
        Item last = items.isEmpty() ? null : items.getLast();
        boolean goesOn = last != null
                && ResponseItems.PROVIDER.equals(last.message().provider())
                && Objects.equals(model, last.message().model());
        var blocks = new ArrayList<Block>(
                goesOn ? Objects.requireNonNull(last).message().blocks() : List.of());
        blocks.add(block);
        int index = goesOn ? items.removeLast().index() : this.index;
        items.add(new Item(index, new Message(Role.ASSISTANT, blocks, false, ResponseItems.PROVIDER, model)));
    }

    private void anthropic(JsonNode message) {
        JsonNode content = message.get("content");
        switch (text(message, "role")) {
            case "user" -> anthropicUser(content);
            case "assistant" -> anthropicAssistant(content);
            case "system" -> omit("instructions come from the agent");
            default -> throw new IllegalArgumentException("its role is neither user nor assistant");
        }
    }

    private void anthropicUser(@Nullable JsonNode content) {
        List<JsonNode> results = blocks(content, "tool_result");
        for (JsonNode block : results) {
            String text = Message.text(texts(block.get("content"), List.of("text")));
            addResult(text(block, "tool_use_id"), text, isTrue(block.get("is_error")));
        }
        List<Block> texts = texts(content, List.of("text"), "tool_result");
        if (!texts.isEmpty() || results.isEmpty()) {
            addMessage(Role.USER, texts);
        }
    }

    private void anthropicAssistant(@Nullable JsonNode content) {
        var blocks = new ArrayList<>(texts(content, List.of("text"), "tool_use"));
        blocks(content, "tool_use")
                .forEach(call -> blocks.add(call(text(call, "id"), text(call, "name"), call.get("input"))));
        addMessage(Role.ASSISTANT, blocks);
    }

    private static List<JsonNode> blocks(@Nullable JsonNode content, String type) {
        return values(content).stream()
                .filter(JsonNode::isObject)
                .filter(block -> type.equals(string(block.get("type"))))
                .toList();
    }

    private void row(JsonNode row) {
        String text = string(row.get("text"));
        switch (text(row, "kind")) {
            case "user" -> addMessage(Role.USER, textBlocks(text));
            case "assistant" -> addMessage(Role.ASSISTANT, textBlocks(text));
            case "tool_call" -> rowCall(data(row));
            case "tool_result", "tool" -> rowResult(data(row));
            case "clear" -> items = new ArrayList<>();
            case "mark" -> marks.put(text == null ? "" : text, List.copyOf(items));
            case "rewind" -> items = new ArrayList<>(marks.getOrDefault(text == null ? "" : text, items));
            case "system", "command", "fork", "agent_killed" -> omit("it was never for a model");
            default -> throw new IllegalArgumentException("its kind is not known");
        }
    }

    private void rowCall(JsonNode data) {
        addCall(call(text(data, "id"), text(data, "name"), data.get("arguments")));
    }

    private void rowResult(JsonNode data) {
        String output = output(data);
        addResult(text(data, "tool_call_id"), output, isFalse(data.get("success")));
    }

    /** Consecutive calls are parallel calls of one message. */
    private void addCall(Block.ToolCall call) {
        Item last = items.isEmpty() ? null : items.getLast();
        if (last != null && last.message().blocks().getLast() instanceof Block.ToolCall) {
            var calls = new ArrayList<>(last.message().blocks());
            calls.add(call);
            items.removeLast();
            items.add(new Item(last.index(), new Message(Role.ASSISTANT, calls, false, null, null)));
        } else {
            addMessage(Role.ASSISTANT, List.of(call));
        }
    }

    private static List<Block> textBlocks(@Nullable String text) {
        return text == null || text.isBlank() ? List.of() : List.of(Block.text(text));
    }

    /** An object, or its JSON text. */
    private JsonNode data(JsonNode row) {
        JsonNode data = row.get("data");
        if (data != null && data.isString()) {
            try {
                data = json.readValue(data.getStringValue(), JsonNode.class);
            } catch (IOException e) {
                throw new IllegalArgumentException("its data is not JSON", e);
            }
        }
        if (data == null || !data.isObject()) {
            throw new IllegalArgumentException("its data is not a JSON object");
        }
        return data;
    }

    private void addMessage(Role role, List<Block> blocks) {
        if (blocks.isEmpty()) {
            throw new IllegalArgumentException("it has no content");
        }
        items.add(new Item(index, new Message(role, blocks, false, null, null)));
    }

    private void addResult(String callId, String content, boolean isError) {
        items.add(new Item(index, Message.toolResult(callId, content, isError)));
    }

    private Block.ToolCall call(String id, String name, @Nullable JsonNode arguments) {
        return new Block.ToolCall(
                id, toolName(name), arguments == null || arguments.isNull() ? "{}" : toText(arguments), null);
    }

    static String toolName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the name of its tool is not valid");
        }
        return name;
    }

    private String output(JsonNode object) {
        JsonNode output = object.get("output");
        if (output == null || output.isNull()) {
            throw new IllegalArgumentException("its output is missing");
        }
        return toText(output);
    }

    private String toText(JsonNode value) {
        if (value.isString()) {
            return value.getStringValue();
        }
        try {
            return json.writeValueAsString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The texts of a string or of parts. Other parts are omitted and reported, except those read elsewhere. */
    private List<Block> texts(@Nullable JsonNode content, List<String> types, String... elsewhere) {
        if (content == null || content.isNull()) {
            return List.of();
        }
        if (content.isString()) {
            return textBlocks(content.getStringValue());
        }
        var texts = new ArrayList<Block>();
        for (JsonNode part : values(content)) {
            String type = part.isObject() ? string(part.get("type")) : null;
            if (type != null && types.contains(type)) {
                texts.addAll(textBlocks(text(part, "text")));
            } else if (!List.of(elsewhere).contains(String.valueOf(type))) {
                omit("a part that is not text is omitted: " + type);
            }
        }
        return texts;
    }

    static List<JsonNode> values(@Nullable JsonNode array) {
        return array == null || !array.isArray()
                ? List.of()
                : StreamSupport.stream(array.values().spliterator(), false).toList();
    }

    static String text(@Nullable JsonNode object, String field) {
        String text = object == null || !object.isObject() ? null : string(object.get(field));
        if (text == null) {
            throw new IllegalArgumentException("its " + field + " is missing");
        }
        return text;
    }

    static @Nullable String string(@Nullable JsonNode value) {
        return value == null || !value.isString() ? null : value.getStringValue();
    }

    private static boolean isTrue(@Nullable JsonNode value) {
        return value != null && value.isBoolean() && value.getBooleanValue();
    }

    private static boolean isFalse(@Nullable JsonNode value) {
        return value != null && value.isBoolean() && !value.getBooleanValue();
    }

    private void pair() {
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

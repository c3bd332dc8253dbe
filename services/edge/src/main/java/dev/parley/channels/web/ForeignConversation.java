package dev.parley.channels.web;

import static dev.parley.channels.web.ForeignJson.elements;
import static dev.parley.channels.web.ForeignJson.maybe;
import static dev.parley.channels.web.ForeignJson.string;
import static dev.parley.channels.web.ForeignJson.text;
import static dev.parley.channels.web.ReasoningItems.isReasoning;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.content.Role;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parser of conversations of other systems. Unreadable messages are omitted and reported.
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
         * {@code reasoning} has its {@code item} as its {@code provider} and {@code model} wrote it; it belongs to the
         * row that follows. {@code clear}, {@code mark} and {@code rewind} change the model context from there on.
         */
        ROWS
    }

    /**
     * Whose answers a conversation has, as far as that is known. Reasoning goes back only to that provider and model.
     *
     * @param provider its name here
     * @param model of messages that name none themselves
     */
    record Origin(@Nullable String provider, @Nullable String model) {
        /** This origin, or the provider whose format it is. */
        private Origin of(Format format) {
            String known = switch (format) {
                case OPENAI_RESPONSES -> "openai";
                case ANTHROPIC -> "anthropic";
                case OPENAI, ROWS -> null;
            };
            return new Origin(provider == null ? known : provider, model);
        }

        /** This origin, with what an object says about itself. */
        private Origin of(JsonNode object) {
            String itsProvider = ForeignJson.maybe(object, "provider");
            String itsModel = ForeignJson.maybe(object, "model");
            return new Origin(itsProvider == null ? provider : itsProvider, itsModel == null ? model : itsModel);
        }
    }

    /**
     * An omitted message of a conversation.
     *
     * @param message Index of the message, from 0.
     * @param reason Reason for the omission.
     */
    @Serdeable
    @Schema(name = "ConversationOmission")
    record LeftOut(int message, String reason) {}

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");

    private final JsonMapper json;
    private final Format format;
    private final ForeignMessages read = new ForeignMessages();
    private final Origin origin;
    private final ResponseItems responses;
    private final ReasoningItems reasoning;

    private ForeignConversation(JsonMapper json, Format format, Origin given) {
        this.json = json;
        this.format = format;
        origin = given.of(format);
        responses = new ResponseItems(json, Objects.requireNonNullElse(origin.provider(), ""));
        reasoning = new ReasoningItems(json);
    }

    /** Parses messages in order. */
    static ForeignConversation read(JsonMapper json, Format format, Origin origin, List<JsonNode> messages) {
        var conversation = new ForeignConversation(json, format, origin);
        for (JsonNode message : messages) {
            conversation.add(Objects.requireNonNullElse(message, JsonNode.nullNode()));
            conversation.read.next();
        }
        conversation.read.pair();
        return conversation;
    }

    /** The messages for the model. */
    List<Message> messages() {
        return read.messages();
    }

    List<LeftOut> leftOut() {
        return read.leftOut();
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
            read.omit(String.valueOf(e.getMessage()));
        }
    }

    private void openAi(JsonNode message) {
        switch (text(message, "role")) {
            case "user" -> read.addMessage(Role.USER, openAiText(message));
            case "assistant" -> {
                var blocks = new ArrayList<Block>();
                reasoning.ofMessage(message, origin.provider()).ifPresent(blocks::add);
                blocks.addAll(openAiText(message));
                elements(message.get("tool_calls")).forEach(call -> blocks.add(openAiCall(call)));
                read.addAnswer(blocks, origin.of(message));
            }
            case "tool" -> read.addResult(text(message, "tool_call_id"), Message.text(openAiText(message)), false);
            case "system", "developer" -> read.omit("instructions come from the agent");
            default -> throw new IllegalArgumentException("its role is not one of user, assistant, tool and system");
        }
    }

    /** A call; one with a signature of its thoughts keeps its item. */
    private Block openAiCall(JsonNode call) {
        JsonNode function = call.get("function");
        Block.ToolCall plain =
                call(text(call, "id"), text(function, "name"), function == null ? null : function.get("arguments"));
        String provider = origin.provider();
        return provider == null || call.get("extra_content") == null
                ? plain
                : new Block.ToolCall(
                        plain.id(),
                        plain.name(),
                        plain.arguments(),
                        new ProviderItem(provider, "function", ForeignJson.write(json, call)));
    }

    private List<Block> openAiText(JsonNode message) {
        return texts(message.get("content"), List.of("text", "input_text", "output_text"));
    }

    /** An input item, or a response with its model and its output. */
    private void openAiResponses(JsonNode message) {
        JsonNode output = message.isObject() ? message.get("output") : null;
        boolean isResponse = output != null && output.isArray() && message.get("call_id") == null;
        if (!isResponse) {
            responseItem(message, origin);
            return;
        }
        for (JsonNode item : elements(output)) {
            try {
                responseItem(item, origin.of(message));
            } catch (IllegalArgumentException e) {
                read.omit(String.valueOf(e.getMessage()));
            }
        }
    }

    private void responseItem(JsonNode item, Origin from) {
        String type = item.isObject() && item.get("type") == null ? "message" : text(item, "type");
        if (type.equals("message") && !"assistant".equals(string(item.get("role")))) {
            openAi(item);
        } else if (type.endsWith("_output")) {
            String output = output(item);
            read.addResult(text(item, "call_id"), output, false);
        } else {
            // The items of one model response are one message, because reasoning belongs to what follows it.
            read.append(
                    responses.block(type, item),
                    last -> Objects.equals(from.provider(), last.provider())
                            && Objects.equals(from.model(), last.model()),
                    from);
        }
    }

    private void anthropic(JsonNode message) {
        JsonNode content = message.get("content");
        switch (text(message, "role")) {
            case "user" -> anthropicUser(content);
            case "assistant" -> read.addAnswer(anthropicAnswer(content), origin.of(message));
            case "system" -> read.omit("instructions come from the agent");
            default -> throw new IllegalArgumentException("its role is neither user nor assistant");
        }
    }

    private void anthropicUser(@Nullable JsonNode content) {
        List<JsonNode> results = blocks(content, "tool_result");
        for (JsonNode block : results) {
            String text = Message.text(texts(block.get("content"), List.of("text")));
            read.addResult(text(block, "tool_use_id"), text, isTrue(block.get("is_error")));
        }
        List<Block> texts = texts(content, List.of("text"), "tool_result");
        if (!texts.isEmpty() || results.isEmpty()) {
            read.addMessage(Role.USER, texts);
        }
    }

    /** The blocks in their order: signed reasoning is only accepted where it was. */
    private List<Block> anthropicAnswer(@Nullable JsonNode content) {
        var blocks = new ArrayList<>(textBlocks(string(content)));
        for (JsonNode block : elements(content)) {
            String type = maybe(block, "type");
            switch (String.valueOf(type)) {
                case "text" -> blocks.addAll(textBlocks(text(block, "text")));
                case "tool_use" -> blocks.add(call(text(block, "id"), text(block, "name"), block.get("input")));
                case "thinking", "redacted_thinking" -> blocks.add(reasoning.block(block, origin.provider()));
                default -> read.omit("a part that is not text is omitted: " + type);
            }
        }
        return blocks;
    }

    private static List<JsonNode> blocks(@Nullable JsonNode content, String type) {
        return elements(content).stream()
                .filter(JsonNode::isObject)
                .filter(block -> type.equals(string(block.get("type"))))
                .toList();
    }

    private void row(JsonNode row) {
        String text = string(row.get("text"));
        switch (text(row, "kind")) {
            case "user" -> read.addMessage(Role.USER, textBlocks(text));
            case "assistant" ->
                read.append(
                        Block.text(text == null ? "" : text),
                        last -> isReasoning(last.blocks().getLast()),
                        origin);
            case "reasoning" -> rowReasoning(row);
            case "tool_call" -> rowCall(data(row));
            case "tool_result", "tool" -> rowResult(data(row));
            case "clear" -> read.clear();
            case "mark" -> read.mark(text == null ? "" : text);
            case "rewind" -> read.rewind(text == null ? "" : text);
            case "system", "command", "fork", "agent_killed" -> read.omit("it was never for a model");
            default -> throw new IllegalArgumentException("its kind is not known");
        }
    }

    private void rowCall(JsonNode data) {
        addCall(call(text(data, "id"), text(data, "name"), data.get("arguments")));
    }

    private void rowResult(JsonNode data) {
        String output = output(data);
        read.addResult(text(data, "tool_call_id"), output, isFalse(data.get("success")));
    }

    private void rowReasoning(JsonNode row) {
        if (row.get("data") == null) {
            read.append(new Block.Thinking(text(row, "text"), null, null), _ -> false, origin);
            return;
        }
        JsonNode data = data(row);
        Origin from = origin.of(data);
        JsonNode item = data.get("item");
        if (item == null || !item.isObject()) {
            throw new IllegalArgumentException("its item is missing");
        }
        read.append(
                reasoning.block(item, from.provider()),
                last -> isReasoning(last.blocks().getLast()) && new Origin(last.provider(), last.model()).equals(from),
                from);
    }

    /** Consecutive calls are parallel calls of one message. */
    private void addCall(Block.ToolCall call) {
        read.append(
                call,
                last -> last.blocks().getLast() instanceof Block.ToolCall
                        || isReasoning(last.blocks().getLast()),
                origin);
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
        return value.isString() ? value.getStringValue() : ForeignJson.write(json, value);
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
        for (JsonNode part : elements(content)) {
            String type = part.isObject() ? string(part.get("type")) : null;
            if (type != null && types.contains(type)) {
                texts.addAll(textBlocks(text(part, "text")));
            } else if (!List.of(elsewhere).contains(String.valueOf(type))) {
                read.omit("a part that is not text is omitted: " + type);
            }
        }
        return texts;
    }

    private static boolean isTrue(@Nullable JsonNode value) {
        return value != null && value.isBoolean() && value.getBooleanValue();
    }

    private static boolean isFalse(@Nullable JsonNode value) {
        return value != null && value.isBoolean() && !value.getBooleanValue();
    }
}

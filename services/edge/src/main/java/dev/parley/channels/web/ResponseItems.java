package dev.parley.channels.web;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.ProviderItem;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parser of items of OpenAI's Responses API; each block keeps its raw item. */
final class ResponseItems {
    /** Calls that clients carry out, and the field with their arguments. */
    private static final Map<String, String> CLIENT_CALLS = Map.of(
            "computer_call", "action",
            "local_shell_call", "action",
            "shell_call", "action",
            "apply_patch_call", "operation");

    private final JsonMapper json;
    private final String provider;

    /** @param provider the name of the items' provider */
    ResponseItems(JsonMapper json, String provider) {
        this.json = json;
        this.provider = provider;
    }

    /** @throws IllegalArgumentException with the reason why the item is omitted */
    Block block(String type, JsonNode item) {
        var raw = new ProviderItem(provider, type, ForeignJson.write(json, item));
        return switch (type) {
            case "message" -> message(item, raw);
            case "reasoning" -> new Block.Thinking(reasoning(item), null, raw);
            case "function_call" -> call(item, ForeignJson.text(item, "arguments"), raw);
            case "custom_tool_call" -> call(item, ForeignJson.text(item, "input"), raw);
            case "image_generation_call" ->
                throw new IllegalArgumentException("a picture that a model made is left out");
            case "item_reference" -> throw new IllegalArgumentException("it names an item that stands elsewhere");
            default -> {
                String field = CLIENT_CALLS.get(type);
                yield field == null ? new Block.Raw(raw) : clientCall(type, item.get(field), item, raw);
            }
        };
    }

    /** An item without an id was not written by the provider, which would reject it. */
    private static Block message(JsonNode item, ProviderItem raw) {
        JsonNode content = item.get("content");
        String plain = ForeignJson.string(content);
        String text = plain == null ? text(content) : plain;
        if (text.isBlank()) {
            throw new IllegalArgumentException("it has no content");
        }
        return new Block.Text(text, plain != null || ForeignJson.string(item.get("id")) == null ? null : raw);
    }

    private static String text(@Nullable JsonNode content) {
        var text = new StringBuilder();
        for (JsonNode part : ForeignJson.elements(content)) {
            for (String field : List.of("text", "refusal")) {
                String value = part.isObject() ? ForeignJson.string(part.get(field)) : null;
                text.append(value == null ? "" : value);
            }
        }
        return text.toString();
    }

    /** The readable part of an item of reasoning; possibly empty. */
    static String reasoning(JsonNode item) {
        var parts = new ArrayList<String>();
        for (String list : List.of("summary", "content")) {
            String text = text(item.get(list));
            if (!text.isEmpty()) {
                parts.add(text);
            }
        }
        return String.join("\n\n", parts);
    }

    private static Block call(JsonNode item, String arguments, ProviderItem raw) {
        if ("incomplete".equals(ForeignJson.string(item.get("status")))) {
            throw new IllegalArgumentException("it is a call that was cut off");
        }
        String name = ForeignConversation.toolName(ForeignJson.text(item, "name"));
        // Without an id it was not written by the provider.
        boolean isOwn = ForeignJson.string(item.get("id")) != null;
        return new Block.ToolCall(ForeignJson.text(item, "call_id"), name, arguments, isOwn ? raw : null);
    }

    private Block clientCall(String type, @Nullable JsonNode action, JsonNode item, ProviderItem raw) {
        String tool = type.substring(0, type.length() - "_call".length());
        return new Block.ToolCall(
                ForeignJson.text(item, "call_id"), tool, action == null ? "{}" : ForeignJson.write(json, action), raw);
    }
}

package dev.parley.channels.openai.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.request.InputMessage.Answer;
import dev.parley.channels.openai.request.InputMessage.Call;
import dev.parley.channels.openai.request.InputMessage.Instruction;
import dev.parley.channels.openai.request.InputMessage.Question;
import dev.parley.channels.openai.request.InputMessage.Result;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Parser of conversations: messages of chat completions, and input items of responses. */
public final class InputMessageReader {
    private static final int MAX_MESSAGES = 10_000;

    private InputMessageReader() {}

    /** The messages of a chat completion. */
    public static List<InputMessage> messages(RequestFields body) {
        var lines = new ArrayList<InputMessage>();
        for (RequestFields message : requireSome(body, "messages")) {
            lines.add(message(message));
        }
        return lines;
    }

    private static List<RequestFields> requireSome(RequestFields body, String name) {
        List<RequestFields> objects = body.objects(name);
        if (objects.isEmpty()) {
            throw ProtocolException.missing(body.param(name));
        }
        if (objects.size() > MAX_MESSAGES) {
            throw ProtocolException.invalid(
                    body.param(name), "At most %,d messages are taken.".formatted(MAX_MESSAGES));
        }
        return objects;
    }

    private static InputMessage message(RequestFields message) {
        return switch (message.requireText("role")) {
            case "system", "developer" -> new Instruction(ContentParts.textOf(message, "content"));
            case "user" -> new Question(ContentParts.read(message));
            case "assistant" -> new Answer(text(message), calls(message));
            case "tool" -> new Result(message.requireText("tool_call_id"), ContentParts.textOf(message, "content"));
            default -> throw message.invalid("role", "one of system, developer, user, assistant and tool");
        };
    }

    private static String text(RequestFields message) {
        for (String field : List.of("audio", "function_call")) {
            if (message.has(field)) {
                throw ProtocolException.unsupported(
                        message.param(field), "'%s' of an assistant message is not supported.".formatted(field));
            }
        }
        String refusal = message.text("refusal");
        return refusal == null ? ContentParts.textOf(message, "content") : refusal;
    }

    private static List<Call> calls(RequestFields message) {
        var calls = new ArrayList<Call>();
        for (RequestFields call : message.objects("tool_calls")) {
            if (call.has("type") && !"function".equals(call.text("type"))) {
                throw ProtocolException.unsupported(
                        call.param("type"), "Calls of the type '%s' are not supported.".formatted(call.text("type")));
            }
            RequestFields function = call.object("function");
            calls.add(call(call.requireText("id"), function));
        }
        return calls;
    }

    private static Call call(String id, RequestFields function) {
        String arguments = function.text("arguments");
        return new Call(id, function.requireText("name"), arguments == null || arguments.isBlank() ? "{}" : arguments);
    }

    /**
     * A list of items: a text is a message, and references are replaced by what they name.
     *
     * @param field its name
     * @param stored finds an item by its id
     * @param isContinuation whether references only repeat what the previous response has, and are left out
     * @throws ProtocolException 404 for an unknown item
     */
    public static List<RequestFields> items(
            RequestFields body, String field, Function<String, Optional<JsonNode>> stored, boolean isContinuation) {
        if (body.get(field).isTextual()) {
            ObjectNode message = ProtocolJson.object().put("type", "message").put("role", "user");
            message.putArray("content")
                    .addObject()
                    .put("type", "input_text")
                    .put("text", body.get(field).textValue());
            return List.of(new RequestFields(message, body.param(field) + "."));
        }
        var items = new ArrayList<RequestFields>();
        for (RequestFields item : requireSome(body, field)) {
            if (!isReference(item)) {
                items.add(item);
            } else if (!isContinuation) {
                items.add(new RequestFields(
                        stored.apply(item.requireText("id")).orElseThrow(() -> unknown(item)), item.path()));
            }
        }
        return items;
    }

    /** Whether an item names one that stands elsewhere. The type may be left out, as in the protocol. */
    public static boolean isReference(RequestFields item) {
        return item.has("type")
                ? "item_reference".equals(item.get("type").textValue())
                : item.has("id") && !item.has("role") && !item.has("content");
    }

    private static ProtocolException unknown(RequestFields item) {
        return ProtocolException.notFound(
                "item_not_found", item.param("id"), "Item with id '%s' not found.".formatted(item.text("id")));
    }

    /** The messages of items; those that are only for the model that wrote them are left out. */
    public static List<InputMessage> messages(List<RequestFields> items) {
        return items.stream().flatMap(item -> item(item).stream()).toList();
    }

    private static Optional<InputMessage> item(RequestFields item) {
        String type = item.has("type") ? item.requireText("type") : "message";
        return Optional.ofNullable(
                switch (type) {
                    case "message" -> message(item);
                    case "function_call" -> new Answer("", List.of(call(item.requireText("call_id"), item)));
                    case "function_call_output" ->
                        new Result(item.requireText("call_id"), ContentParts.textOf(item, "output"));
                    case "reasoning", "compaction" -> null; // only for the model that wrote it
                    default ->
                        throw ProtocolException.unsupported(
                                item.param("type"), "Items of the type '%s' are not supported.".formatted(type));
                });
    }
}

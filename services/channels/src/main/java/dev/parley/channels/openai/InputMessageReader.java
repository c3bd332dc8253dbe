package dev.parley.channels.openai;

import dev.parley.channels.openai.InputMessage.Answer;
import dev.parley.channels.openai.InputMessage.Call;
import dev.parley.channels.openai.InputMessage.Instruction;
import dev.parley.channels.openai.InputMessage.Question;
import dev.parley.channels.openai.InputMessage.Reference;
import dev.parley.channels.openai.InputMessage.Result;
import dev.parley.channels.protocols.MessageParts;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.RequestFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parser of conversations: messages of chat completions, and input items of responses. */
final class InputMessageReader {
    private static final int MAX_MESSAGES = 10_000;

    private InputMessageReader() {}

    /** The messages of a chat completion. */
    static List<InputMessage> messages(RequestFields body) {
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
        String refusal = message.text("refusal");
        return refusal == null ? ContentParts.textOf(message, "content") : refusal;
    }

    private static List<Call> calls(RequestFields message) {
        var calls = new ArrayList<Call>();
        for (RequestFields call : message.objects("tool_calls")) {
            RequestFields function = call.object("function");
            calls.add(call(call.requireText("id"), function));
        }
        return calls;
    }

    private static Call call(String id, RequestFields function) {
        String arguments = function.text("arguments");
        return new Call(id, function.requireText("name"), arguments == null || arguments.isBlank() ? "{}" : arguments);
    }

    /** The input of a response: a text, or items. */
    static List<InputMessage> input(RequestFields body) {
        if (body.get("input").isTextual()) {
            return List.of(
                    new Question(List.of(MessageParts.text(body.get("input").textValue()))));
        }
        var lines = new ArrayList<InputMessage>();
        for (RequestFields item : requireSome(body, "input")) {
            item(item).ifPresent(lines::add);
        }
        return lines;
    }

    /** An item; empty where it is only for the model that wrote it. */
    private static Optional<InputMessage> item(RequestFields item) {
        String type = item.has("type") ? item.requireText("type") : "message";
        return Optional.ofNullable(
                switch (type) {
                    case "message" -> message(item);
                    case "function_call" -> new Answer("", List.of(call(item.requireText("call_id"), item)));
                    case "function_call_output" ->
                        new Result(item.requireText("call_id"), ContentParts.textOf(item, "output"));
                    case "item_reference" -> reference(item);
                    case "reasoning", "compaction" -> null; // only for the model that wrote it
                    default ->
                        throw ProtocolException.unsupported(
                                item.param("type"), "Items of the type '%s' are not supported.".formatted(type));
                });
    }

    private static InputMessage reference(RequestFields item) {
        return ResponseId.parse(item.requireText("id"))
                .map(Reference::new)
                .orElseThrow(() -> ProtocolException.notFound(
                        "item_not_found", item.param("id"), "There is no item '%s'.".formatted(item.text("id"))));
    }
}

package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.ResponseJson.Status;
import dev.parley.channels.openai.request.ClientToolCall;
import dev.parley.channels.openai.store.ResponseId;
import dev.parley.channels.protocols.AnswerText.Piece;
import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.channels.protocols.ProtocolJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Events of a streamed response and the output that they describe: numbered, each text within its item and part, with
 * the complete response at the end. The same pieces give the same events, so that a stream can be resumed.
 */
final class ResponseEvents {
    private static final String COMPLETED = Status.COMPLETED.code();
    private static final String IN_PROGRESS = Status.IN_PROGRESS.code();

    private final ResponseId id;
    private final ObjectNode open;
    private final ArrayNode output = ProtocolJson.array();
    private final ArrayNode pieces = ProtocolJson.array();
    private final StringBuilder text = new StringBuilder();
    private Kind current = Kind.NONE;
    private int sequence;

    /** The kind of the open item. */
    private enum Kind {
        NONE,
        MESSAGE,
        REASONING
    }

    /** @param open the response without output */
    ResponseEvents(ResponseId id, ObjectNode open) {
        this.id = id;
        this.open = open;
    }

    /**
     * All events of a response that has ended.
     *
     * @param pieces the lengths of its pieces, from {@link #pieces}
     */
    static List<ObjectNode> replay(ResponseId id, ObjectNode ended, JsonNode pieces) {
        var events = new ResponseEvents(id, ResponseJson.reopened(ended));
        var all = new ArrayList<>(events.openingEvents());
        var calls = new ArrayList<ClientToolCall>();
        for (JsonNode item : ended.path("output")) {
            switch (item.path("type").asText()) {
                case "message" -> all.addAll(events.replay(item.at("/content/0/text"), pieces, events::text));
                case "reasoning" -> all.addAll(events.replay(item.at("/summary/0/text"), pieces, events::reasoning));
                default ->
                    calls.add(new ClientToolCall(
                            item.path("call_id").asText(),
                            item.path("name").asText(),
                            item.path("arguments").asText()));
            }
        }
        Status status = Status.of(ended.path("status").asText());
        all.addAll(events.close(status, calls));
        all.addAll(events.end(ended, status, failure(ended)));
        return all;
    }

    private List<ObjectNode> replay(JsonNode item, JsonNode lengths, Function<Piece, List<ObjectNode>> write) {
        var events = new ArrayList<ObjectNode>();
        String whole = item.asText();
        int start = 0;
        for (JsonNode length : lengths.path(pieces.size())) {
            int end = Math.min(whole.length(), start + length.asInt());
            events.addAll(write.apply(new Piece(start == 0, whole.substring(start, end))));
            start = end;
        }
        if (start < whole.length() || events.isEmpty()) {
            events.addAll(write.apply(new Piece(start == 0, whole.substring(start))));
        }
        return events;
    }

    /** The failure of a response that has ended. */
    private static Failure failure(ObjectNode ended) {
        JsonNode error = ended.path("error");
        return Failure.of(
                500,
                error.path("code").asText("server_error"),
                error.path("message").asText("The response has failed."));
    }

    /** The items so far; with {@link #close} all of them. */
    ArrayNode output() {
        return output;
    }

    /** The lengths of the pieces of each text, in characters. */
    ArrayNode pieces() {
        return pieces;
    }

    /** The first events. */
    List<ObjectNode> openingEvents() {
        return List.of(responseEvent("response.created", open), responseEvent("response.in_progress", open));
    }

    private ObjectNode responseEvent(String type, ObjectNode body) {
        ObjectNode event = event(type);
        event.set("response", body);
        return event;
    }

    private ObjectNode event(String type) {
        return ProtocolJson.object().put("type", type).put("sequence_number", sequence++);
    }

    /** A piece of text, with the start of its message where needed. */
    List<ObjectNode> text(Piece piece) {
        List<ObjectNode> events = begin(Kind.MESSAGE, piece);
        ObjectNode delta = inPart("response.output_text.delta").put("delta", piece.text());
        delta.putArray("logprobs");
        events.add(delta);
        return events;
    }

    /** A piece of reasoning, with the start of its item where needed. */
    List<ObjectNode> reasoning(Piece piece) {
        List<ObjectNode> events = begin(Kind.REASONING, piece);
        events.add(inPart("response.reasoning_summary_text.delta").put("delta", piece.text()));
        return events;
    }

    private List<ObjectNode> begin(Kind kind, Piece piece) {
        var events = new ArrayList<ObjectNode>();
        if (piece.begins() || current != kind) {
            events.addAll(closeItem(COMPLETED));
            current = kind;
            text.setLength(0);
            pieces.addArray();
            ObjectNode added = inOutput("response.output_item.added");
            added.set("item", item(IN_PROGRESS, null));
            ObjectNode part = inPart(
                    kind == Kind.MESSAGE ? "response.content_part.added" : "response.reasoning_summary_part.added");
            part.set("part", part(""));
            events.add(added);
            events.add(part);
        }
        text.append(piece.text());
        ((ArrayNode) pieces.get(pieces.size() - 1)).add(piece.text().length());
        return events;
    }

    private ObjectNode item(String status, @Nullable String whole) {
        return current == Kind.MESSAGE
                ? ResponseJson.message(id, output.size(), status, whole)
                : ResponseJson.reasoning(id, output.size(), whole);
    }

    private ObjectNode part(String whole) {
        return current == Kind.MESSAGE ? ResponseJson.part(whole) : ResponseJson.summaryPart(whole);
    }

    private ObjectNode inOutput(String type) {
        return event(type).put("output_index", output.size());
    }

    private ObjectNode inPart(String type) {
        boolean isMessage = current == Kind.MESSAGE;
        return inOutput(type)
                .put("item_id", isMessage ? id.message(output.size()) : id.reasoning(output.size()))
                .put(isMessage ? "content_index" : "summary_index", 0);
    }

    private List<ObjectNode> closeItem(String status) {
        if (current == Kind.NONE) {
            return List.of();
        }
        String whole = text.toString();
        boolean isMessage = current == Kind.MESSAGE;
        ObjectNode done = inPart(isMessage ? "response.output_text.done" : "response.reasoning_summary_text.done")
                .put("text", whole);
        if (isMessage) {
            done.putArray("logprobs");
        }
        ObjectNode part = inPart(isMessage ? "response.content_part.done" : "response.reasoning_summary_part.done");
        part.set("part", part(whole));
        ObjectNode closed = inOutput("response.output_item.done");
        ObjectNode item = item(status, whole);
        closed.set("item", item);
        output.add(item);
        current = Kind.NONE;
        return List.of(done, part, closed);
    }

    /**
     * Closes the last item, and adds the calls of an answer.
     *
     * @param status of the response at its end
     */
    List<ObjectNode> close(Status status, List<ClientToolCall> calls) {
        var events = new ArrayList<>(closeItem(status == Status.COMPLETED ? COMPLETED : Status.INCOMPLETE.code()));
        calls.forEach(call -> events.addAll(callEvents(call)));
        return events;
    }

    private List<ObjectNode> callEvents(ClientToolCall call) {
        int index = output.size();
        ObjectNode added = inOutput("response.output_item.added");
        added.set("item", ResponseJson.call(id, call, index, IN_PROGRESS, ""));
        ObjectNode delta = inCall("response.function_call_arguments.delta").put("delta", call.arguments());
        ObjectNode done = inCall("response.function_call_arguments.done")
                .put("name", call.name())
                .put("arguments", call.arguments());
        ObjectNode closed = inOutput("response.output_item.done");
        ObjectNode item = ResponseJson.call(id, call, index, COMPLETED, call.arguments());
        closed.set("item", item);
        output.add(item);
        return List.of(added, delta, done, closed);
    }

    private ObjectNode inCall(String type) {
        return inOutput(type).put("item_id", id.call(output.size()));
    }

    /**
     * The last events.
     *
     * @param response the whole response
     * @param failure where there is no answer
     */
    List<ObjectNode> end(ObjectNode response, Status status, @Nullable Failure failure) {
        return switch (status) {
            case COMPLETED -> List.of(responseEvent("response.completed", response));
            case INCOMPLETE -> List.of(responseEvent("response.incomplete", response));
            case FAILED, CANCELLED ->
                List.of(error(Objects.requireNonNull(failure)), responseEvent("response.failed", response));
            case QUEUED, IN_PROGRESS -> List.of(error(Objects.requireNonNull(failure)));
        };
    }

    /** The final error. Clients read its members either beside the type or in an object of its own. */
    ObjectNode error(Failure failure) {
        ObjectNode error = event("error")
                .put("code", failure.code())
                .put("message", failure.message())
                .put("param", failure.param());
        error.set("error", ErrorJson.error(failure));
        return error;
    }
}

package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.ResponseJson.Status;
import dev.parley.channels.protocols.AnswerText.Piece;
import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.channels.protocols.ProtocolJson;
import java.util.ArrayList;
import java.util.List;

/**
 * Events of a streamed response: numbered, each text within its message and part, with the complete response at the
 * end.
 */
final class ResponseEvents {
    private final ResponseJson response;
    private final StringBuilder text = new StringBuilder();
    private int sequence;
    private int messages;
    private boolean isOpen;

    ResponseEvents(ResponseJson response) {
        this.response = response;
    }

    /** The first events. */
    List<ObjectNode> openingEvents() {
        return List.of(
                responseEvent("response.created", response.open(Status.IN_PROGRESS)),
                responseEvent("response.in_progress", response.open(Status.IN_PROGRESS)));
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
        var events = new ArrayList<ObjectNode>();
        if (piece.begins()) {
            events.addAll(closeMessage("completed"));
            events.addAll(openMessage());
        }
        text.append(piece.text());
        ObjectNode delta = inPart("response.output_text.delta").put("delta", piece.text());
        delta.putArray("logprobs");
        events.add(delta);
        return events;
    }

    private List<ObjectNode> openMessage() {
        messages++;
        isOpen = true;
        text.setLength(0);
        ObjectNode added = event("response.output_item.added").put("output_index", messages - 1);
        added.set("item", response.message(messages - 1, "in_progress", null));
        ObjectNode part = inPart("response.content_part.added");
        part.set("part", ResponseJson.part(""));
        return List.of(added, part);
    }

    private ObjectNode inPart(String type) {
        return event(type)
                .put("item_id", response.id().item(messages - 1))
                .put("output_index", messages - 1)
                .put("content_index", 0);
    }

    private List<ObjectNode> closeMessage(String status) {
        if (!isOpen) {
            return List.of();
        }
        isOpen = false;
        String fullText = text.toString();
        ObjectNode done = inPart("response.output_text.done").put("text", fullText);
        done.putArray("logprobs");
        ObjectNode part = inPart("response.content_part.done");
        part.set("part", ResponseJson.part(fullText));
        ObjectNode item = event("response.output_item.done").put("output_index", messages - 1);
        item.set("item", response.message(messages - 1, status, fullText));
        return List.of(done, part, item);
    }

    /** The calls at the end of an answer. */
    List<ObjectNode> callEvents(List<ClientToolCall> calls) {
        var events = new ArrayList<>(closeMessage("completed"));
        for (int i = 0; i < calls.size(); i++) {
            events.addAll(callEvents(calls.get(i), messages + i));
        }
        return events;
    }

    private List<ObjectNode> callEvents(ClientToolCall call, int index) {
        ObjectNode added = event("response.output_item.added").put("output_index", index);
        added.set("item", response.call(call, index, "in_progress", ""));
        ObjectNode delta =
                inCall("response.function_call_arguments.delta", index).put("delta", call.arguments());
        ObjectNode done = inCall("response.function_call_arguments.done", index)
                .put("name", call.name())
                .put("arguments", call.arguments());
        ObjectNode item = event("response.output_item.done").put("output_index", index);
        item.set("item", response.call(call, index, "completed", call.arguments()));
        return List.of(added, delta, done, item);
    }

    private ObjectNode inCall(String type, int index) {
        return event(type).put("item_id", response.id().call(index)).put("output_index", index);
    }

    /**
     * The end of an answer.
     *
     * @param complete the whole response
     */
    List<ObjectNode> completionEvents(ObjectNode complete) {
        boolean isCut = complete.path("status").asText().equals(Status.INCOMPLETE.code());
        var events = new ArrayList<>(closeMessage(isCut ? "incomplete" : "completed"));
        events.add(responseEvent(isCut ? "response.incomplete" : "response.completed", complete));
        return events;
    }

    /**
     * The end without an answer.
     *
     * @param complete the whole response
     */
    List<ObjectNode> failureEvents(Failure failure, ObjectNode complete) {
        var events = new ArrayList<>(closeMessage("incomplete"));
        events.add(error(failure));
        events.add(responseEvent("response.failed", complete));
        return events;
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

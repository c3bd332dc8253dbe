package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.store.ResponseId;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import java.util.List;

/** Items of clients as the protocol shows them: with an id, a type, and content in parts. */
final class InputItems {
    private static final int MAX_ID = 64;

    private InputItems() {}

    /** @param owner the response whose input they are; it makes the ids of those without one */
    static ArrayNode stored(List<RequestFields> items, ResponseId owner) {
        ArrayNode stored = ProtocolJson.array();
        for (RequestFields item : items) {
            stored.add(stored(item, owner.input(type(item), stored.size())));
        }
        return stored;
    }

    private static String type(RequestFields item) {
        return item.has("type") ? item.requireText("type") : "message";
    }

    private static ObjectNode stored(RequestFields item, String id) {
        ObjectNode stored = item.json().deepCopy();
        String own = stored.path("id").asText("");
        stored.put("id", own.isEmpty() || own.length() > MAX_ID ? id : own);
        stored.put("type", type(item));
        if (!stored.hasNonNull("status")) {
            stored.put("status", "completed");
        }
        if (stored.path("content").isTextual()) {
            String text = stored.get("content").textValue();
            boolean isAgents = stored.path("role").asText().equals("assistant");
            ObjectNode part = stored.putArray("content")
                    .addObject()
                    .put("type", isAgents ? "output_text" : "input_text")
                    .put("text", text);
            if (isAgents) {
                part.putArray("annotations");
            }
        }
        return stored;
    }
}

package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Something that happened, as a bot hears of it.
 *
 * @param kind the name of its only field besides {@code update_id}
 */
public record Update(Bot bot, int id, String kind, ObjectNode json) {
    /** What happened. */
    public JsonNode body() {
        return json.path(kind);
    }

    /** The message that it is about, or 0. */
    public int messageId() {
        return body().path("message_id").asInt(body().at("/message/message_id").asInt());
    }

    /** What must stay in order with it when it is pushed. */
    String lane() {
        JsonNode body = body();
        return switch (kind) {
            case "message", "edited_message", "channel_post", "edited_channel_post" ->
                "chat " + body.at("/chat/id").asText();
            case "callback_query" -> "callbacks of " + body.at("/from/id").asText();
            default ->
                kind + " of " + body.at("/chat/id").asText(body.at("/from/id").asText());
        };
    }
}

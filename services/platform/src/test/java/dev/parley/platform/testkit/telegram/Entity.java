package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A marked part of a text, in UTF-16 units.
 *
 * @param argument address, language or user; empty without one
 */
public record Entity(String type, int offset, int length, String argument) {
    int end() {
        return offset + length;
    }

    boolean meets(Entity other) {
        return offset < other.end() && other.offset < end();
    }

    Entity at(int from, int to) {
        return new Entity(type, from, to - from, argument);
    }

    static Entity read(JsonNode json) {
        String argument = json.path("url")
                .asText(json.path("language")
                        .asText(json.path("custom_emoji_id")
                                .asText(json.at("/user/id").asText())));
        return new Entity(
                json.path("type").asText(),
                json.path("offset").asInt(),
                json.path("length").asInt(),
                argument);
    }

    ObjectNode json() {
        var json = Json.object().put("type", type).put("offset", offset).put("length", length);
        switch (type) {
            case "text_link" -> json.put("url", argument);
            case "custom_emoji" -> json.put("custom_emoji_id", argument);
            case "text_mention" -> json.putObject("user").put("id", Long.parseLong(argument));
            case "pre" -> {
                if (!argument.isEmpty()) {
                    json.put("language", argument);
                }
            }
            default -> {}
        }
        return json;
    }
}

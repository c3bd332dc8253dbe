package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** A person. */
public record User(
        long id,
        String name,
        @Nullable String username,
        @Nullable String language) {
    ObjectNode json() {
        var json = Json.object().put("id", id).put("is_bot", false).put("first_name", name);
        if (username != null) {
            json.put("username", username);
        }
        if (language != null) {
            json.put("language_code", language);
        }
        return json;
    }
}

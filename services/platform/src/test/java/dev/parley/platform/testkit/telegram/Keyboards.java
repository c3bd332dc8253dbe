package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Checks inline keyboards. */
final class Keyboards {
    private static final int MOST_BUTTONS = 100;

    private Keyboards() {}

    /**
     * The inline keyboard of a call, null without one.
     *
     * @throws ApiError if it is invalid
     */
    static @Nullable JsonNode read(Params params) {
        JsonNode markup = params.tree("reply_markup");
        if (markup.isNull() || !markup.has("inline_keyboard")) {
            return null; // other kinds of markup are not part of a message
        }
        JsonNode rows = markup.path("inline_keyboard");
        if (!rows.isArray()) {
            throw ApiError.bad("can't parse inline keyboard markup JSON object");
        }
        int buttons = 0;
        ObjectNode keyboard = Json.object();
        var keptRows = keyboard.putArray("inline_keyboard");
        for (JsonNode row : rows) {
            if (!row.isArray()) {
                throw ApiError.bad("can't parse inline keyboard row: Expected an Array");
            }
            row.forEach(Keyboards::check);
            buttons += row.size();
            if (!row.isEmpty()) {
                keptRows.add(row);
            }
        }
        if (buttons > MOST_BUTTONS) {
            throw ApiError.bad("reply markup is too long");
        }
        return buttons == 0 ? null : keyboard;
    }

    private static void check(JsonNode button) {
        if (!button.isObject()) {
            throw ApiError.bad("can't parse inline keyboard button: Expected an Object");
        }
        if (!button.path("text").isTextual()) {
            throw ApiError.bad("can't parse inline keyboard button: Can't find field \"text\"");
        }
        if (button.has("callback_data")) {
            int bytes = button.path("callback_data").asText().getBytes(StandardCharsets.UTF_8).length;
            if (bytes < 1 || bytes > 64) {
                throw ApiError.bad("BUTTON_DATA_INVALID");
            }
        } else if (button.has("url")) {
            url(button.path("url").asText());
        } else if (button.size() < 2) {
            throw ApiError.bad("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
        }
    }

    private static void url(String url) {
        try {
            URI uri = URI.create(url.contains("://") ? url : "http://" + url);
            if (uri.getHost() != null
                    && (uri.getHost().contains(".") || uri.getScheme().equals("tg"))) {
                return;
            }
        } catch (IllegalArgumentException e) {
            // rejected below
        }
        throw ApiError.bad("BUTTON_URL_INVALID");
    }
}

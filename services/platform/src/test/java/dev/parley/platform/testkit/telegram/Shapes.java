package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Parts of messages as the Bot API has them. */
final class Shapes {
    private Shapes() {}

    /**
     * A text with its entities.
     *
     * @param field {@code text} or {@code caption}
     */
    static ObjectNode text(String field, FormattedText text) {
        ObjectNode json = Json.object().put(field, text.text());
        if (!text.entities().isEmpty()) {
            json.set(field.equals("text") ? "entities" : "caption_entities", text.entitiesJson());
        }
        return json;
    }

    /** Reactions, each an emoji. */
    static ArrayNode reactions(List<String> emoji) {
        ArrayNode reactions = Json.object().putArray("reactions");
        emoji.forEach(one -> reactions.addObject().put("type", "emoji").put("emoji", one));
        return reactions;
    }

    /** The sizes of a photo, the smallest first. */
    static ArrayNode photo(StoredFile file) {
        ArrayNode sizes = Json.array();
        sizes.add(file.json()
                .put("file_id", file.id() + "-s")
                .put("file_unique_id", "u" + file.id() + "-s")
                .put("width", 90)
                .put("height", 60));
        sizes.add(file.json().put("width", 900).put("height", 600));
        return sizes;
    }
}

package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pages of items, as the protocol lists them. */
final class ItemList {
    private static final int DEFAULT_LIMIT = 20;
    static final int MAX_LIMIT = 100;

    private ItemList() {}

    /**
     * A page of items.
     *
     * @param items in the order in which they were said
     * @param limit number of items from 1 to 100, or null for 20
     * @param order {@code asc} or {@code desc}, or null for the latter
     * @param after the id of the last item of the page before, or null
     * @throws ProtocolException 400
     */
    static ObjectNode page(ArrayNode items, @Nullable Integer limit, @Nullable String order, @Nullable String after) {
        int size = limit == null ? DEFAULT_LIMIT : limit;
        if (size < 1 || size > MAX_LIMIT) {
            throw ProtocolException.invalid("limit", "Invalid 'limit': an integer from 1 to 100 is expected.");
        }
        if (order != null && !List.of("asc", "desc").contains(order)) {
            throw ProtocolException.invalid("order", "Invalid 'order': asc or desc is expected.");
        }
        var ordered = new ArrayList<JsonNode>();
        items.forEach(ordered::add);
        if (!"asc".equals(order)) {
            Collections.reverse(ordered);
        }
        int from = after == null ? 0 : 1 + indexOf(ordered, after);
        List<JsonNode> page = ordered.subList(from, Math.min(ordered.size(), from + size));
        ObjectNode list = ProtocolJson.object().put("object", "list");
        list.putArray("data").addAll(page);
        list.set("first_id", page.isEmpty() ? null : page.getFirst().get("id"));
        list.set("last_id", page.isEmpty() ? null : page.getLast().get("id"));
        return list.put("has_more", from + page.size() < ordered.size());
    }

    private static int indexOf(List<JsonNode> items, String id) {
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i).path("id").asText().equals(id)) {
                return i;
            }
        }
        throw ProtocolException.invalid("after", "There is no item '%s'.".formatted(id));
    }
}

package dev.parley.channels.openai.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.domain.protocol.Usage;

/** Usage as it is stored. */
public final class UsageJson {
    private UsageJson() {}

    static String write(Usage usage) {
        ObjectNode json = ProtocolJson.object()
                .put("input", usage.input())
                .put("output", usage.output())
                .put("reasoning", usage.reasoning())
                .put("cacheRead", usage.cacheRead())
                .put("cacheWrite", usage.cacheWrite())
                .put("costNanos", usage.costNanos());
        return ProtocolJson.text(json);
    }

    public static Usage read(String text) {
        JsonNode json = ProtocolJson.parse(text);
        JsonNode cost = json.path("costNanos");
        return new Usage(
                json.path("input").asLong(),
                json.path("output").asLong(),
                json.path("reasoning").asLong(),
                json.path("cacheRead").asLong(),
                json.path("cacheWrite").asLong(),
                cost.isNumber() ? cost.longValue() : null);
    }
}

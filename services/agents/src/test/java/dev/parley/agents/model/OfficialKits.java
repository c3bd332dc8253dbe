package dev.parley.agents.model;

import com.anthropic.models.messages.MessageCreateParams;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.responses.ResponseCreateParams;
import java.io.IOException;
import java.util.Iterator;
import java.util.Set;

/**
 * Validates requests with the official SDKs of the providers. An invalid request throws a {@link RuntimeException}.
 */
@SuppressWarnings("deprecation") // the newer view of members does not distinguish unknown ones
public final class OfficialKits {
    /** The type that tests give to items of an unknown kind, which no SDK accepts. */
    public static final String NEW_THING = "new_thing";

    private static final JsonMapper OPENAI = com.openai.core.ObjectMappers.jsonMapper();
    private static final JsonMapper ANTHROPIC = com.anthropic.core.ObjectMappers.jsonMapper();

    private OfficialKits() {}

    /** Checks the body of {@code POST /responses}. */
    public static void responses(String body) throws IOException {
        var read = OPENAI.treeToValue(withoutNewThings(OPENAI.readTree(body)), ResponseCreateParams.Body.class);
        read.validate();
        onlyThese(Set.of("stream"), read._additionalProperties().keySet());
    }

    /** Checks the body of {@code POST /chat/completions}. */
    public static void chat(String body) throws IOException {
        var tree = (ObjectNode) OPENAI.readTree(body);
        tree.put("model", "gpt-4.1"); // the SDK knows only the models of its provider
        var read = OPENAI.treeToValue(tree, ChatCompletionCreateParams.Body.class);
        read.validate();
        onlyThese(Set.of("stream"), read._additionalProperties().keySet());
    }

    /** Checks the body of {@code POST /messages}. */
    public static void messages(String body) throws IOException {
        var read = ANTHROPIC.treeToValue(withoutNewThings(ANTHROPIC.readTree(body)), MessageCreateParams.Body.class);
        read.validate();
        // Earlier models accept the last two, which the SDK no longer has.
        onlyThese(
                Set.of("stream", "temperature", "top_p"),
                read._additionalProperties().keySet());
    }

    /** The body without items of an unknown kind. */
    private static JsonNode withoutNewThings(JsonNode node) {
        if (node.isArray()) {
            for (Iterator<JsonNode> items = node.elements(); items.hasNext(); ) {
                if (items.next().path("type").asText().equals(NEW_THING)) {
                    items.remove();
                }
            }
        }
        node.forEach(OfficialKits::withoutNewThings);
        return node;
    }

    private static void onlyThese(Set<String> known, Set<String> additional) {
        if (!known.containsAll(additional)) {
            throw new IllegalArgumentException("unknown parameters: " + additional);
        }
    }
}

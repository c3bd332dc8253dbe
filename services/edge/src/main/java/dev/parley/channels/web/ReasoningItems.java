package dev.parley.channels.web;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.ProviderItem;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parser of the reasoning of models. A block keeps the raw item, with its signature, for the provider that made it;
 * where that is unknown, only the text is left, which no provider gets.
 */
final class ReasoningItems {
    private static final String DETAILS = "reasoning_details";
    private static final List<String> TEXTS = List.of("reasoning_content", "reasoning");

    private final JsonMapper json;

    ReasoningItems(JsonMapper json) {
        this.json = json;
    }

    /** Whether a block is reasoning. */
    static boolean isReasoning(Block block) {
        return block instanceof Block.Thinking || block instanceof Block.RedactedThinking;
    }

    /**
     * A block of Anthropic's Messages API, an item of OpenAI's Responses API, or the members of a message of chat
     * completions.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    Block block(JsonNode item, @Nullable String provider) {
        String type = Objects.requireNonNullElse(ForeignJson.maybe(item, "type"), "");
        return switch (type) {
            case "thinking" -> thinking(item, raw(provider, type, item));
            case "redacted_thinking" ->
                new Block.RedactedThinking(ForeignJson.text(item, "data"), raw(provider, type, item));
            case "reasoning" -> new Block.Thinking(ResponseItems.reasoning(item), null, raw(provider, type, item));
            default ->
                ofMessage(item, provider)
                        .orElseThrow(() -> new IllegalArgumentException("its item is not reasoning of a known form"));
        };
    }

    /** The reasoning of a message of chat completions, under any of the names that servers use. */
    Optional<Block> ofMessage(JsonNode message, @Nullable String provider) {
        JsonNode details = message.isObject() ? message.get(DETAILS) : null;
        if (details != null && !ForeignJson.elements(details).isEmpty()) {
            String text = ForeignJson.elements(details).stream()
                    .flatMap(detail -> Stream.of("text", "summary")
                            .flatMap(field -> Stream.ofNullable(ForeignJson.maybe(detail, field))))
                    .collect(Collectors.joining("\n\n"));
            return Optional.of(new Block.Thinking(text, null, member(provider, DETAILS, details)));
        }
        return TEXTS.stream().flatMap(name -> named(message, name, provider)).findFirst();
    }

    private Stream<Block> named(JsonNode message, String name, @Nullable String provider) {
        String text = ForeignJson.maybe(message, name);
        return text == null || text.isBlank()
                ? Stream.empty()
                : Stream.of(new Block.Thinking(text, null, member(provider, name, JsonNode.createStringNode(text))));
    }

    private static Block thinking(JsonNode item, @Nullable ProviderItem raw) {
        String signature = ForeignJson.maybe(item, "signature");
        return new Block.Thinking(
                ForeignJson.text(item, "thinking"), signature == null || signature.isEmpty() ? null : signature, raw);
    }

    /** A member that goes back into its message. */
    private @Nullable ProviderItem member(@Nullable String provider, String name, JsonNode value) {
        return raw(provider, name, JsonNode.createObjectNode(Map.of(name, value)));
    }

    private @Nullable ProviderItem raw(@Nullable String provider, String type, JsonNode item) {
        return provider == null ? null : new ProviderItem(provider, type, ForeignJson.write(json, item));
    }
}

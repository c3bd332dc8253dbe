package dev.parley.channels.slack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.chat.ChatForm.Field;
import dev.parley.channels.chat.ChatForm.Option;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.platform.json.ExactJson;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Forms as modals. The conversation and the signed data stand in the private metadata of the view.
 *
 * @see <a href="https://docs.slack.dev/surfaces/modals">modals</a>
 */
final class SlackForms {
    private static final ObjectMapper JSON = ExactJson.request();
    private static final int MAX_TITLE = 24;
    private static final int MAX_TEXT = 3_000;
    private static final int MAX_LABEL = 2_000;
    /** A modal has 100 blocks, of which one is the text. */
    private static final int MAX_FIELDS = 99;

    private static final int MAX_NAME = 255;
    private static final int MAX_OPTIONS = 100;
    private static final int MAX_OPTION = 75;
    private static final int MAX_OPTION_VALUE = 150;
    private static final int MAX_INPUT = 3_000;
    private static final String VALUE = "value";

    private SlackForms() {}

    /** The view of a form; empty where a modal cannot show all of it. */
    static Optional<ObjectNode> view(ChatForm form, ConversationAddress address, String data) {
        if (form.fields().size() > MAX_FIELDS || !form.fields().stream().allMatch(SlackForms::fits)) {
            return Optional.empty();
        }
        ObjectNode view = JSON.createObjectNode().put("type", "modal").put("callback_id", "form");
        view.set("title", plain(form.title(), MAX_TITLE));
        view.set("submit", plain(form.send(), MAX_TITLE));
        ObjectNode metadata =
                JSON.createObjectNode().put("chat", address.chat()).put("data", data);
        if (address.topic() != null) {
            metadata.put("topic", address.topic());
        }
        view.put("private_metadata", metadata.toString());
        ArrayNode blocks = view.putArray("blocks");
        if (!form.text().isBlank()) {
            blocks.addObject().put("type", "section").set("text", plain(form.text(), MAX_TEXT));
        }
        form.fields().forEach(field -> blocks.add(input(field)));
        return Optional.of(view);
    }

    private static boolean fits(Field field) {
        boolean isChoice = field.kind() == ChatForm.Kind.CHOICE || field.kind() == ChatForm.Kind.CHOICES;
        return !field.name().isEmpty()
                && field.name().length() <= MAX_NAME
                && field.choices().isEmpty() != isChoice
                && field.choices().size() <= MAX_OPTIONS
                && field.choices().stream()
                        .allMatch(option -> !option.value().isEmpty()
                                && option.value().length() <= MAX_OPTION_VALUE
                                && !option.label().isBlank());
    }

    private static ObjectNode input(Field field) {
        ObjectNode input = JSON.createObjectNode()
                .put("type", "input")
                .put("block_id", field.name())
                .put("optional", !field.required());
        input.set("label", plain(field.label().isBlank() ? field.name() : field.label(), MAX_LABEL));
        if (!field.hint().isBlank()) {
            input.set("hint", plain(field.hint(), MAX_LABEL));
        }
        input.set("element", element(field).put("action_id", VALUE));
        return input;
    }

    private static ObjectNode element(Field field) {
        return switch (field.kind()) {
            case TEXT -> text(field).put("multiline", false);
            case PARAGRAPH -> text(field).put("multiline", true);
            case INTEGER -> number(field).put("is_decimal_allowed", false);
            case NUMBER -> number(field).put("is_decimal_allowed", true);
            case DATE -> initial(element("datepicker"), "initial_date", field, "\\d{4}-\\d{2}-\\d{2}");
            case YES_NO -> choice("radio_buttons", field, List.of(new Option("true", "✓"), new Option("false", "✗")));
            case CHOICE -> choice("static_select", field, field.choices());
            case CHOICES -> choices(field);
        };
    }

    private static ObjectNode element(String type) {
        return JSON.createObjectNode().put("type", type);
    }

    private static ObjectNode initial(ObjectNode element, String property, Field field, String form) {
        field.initial().stream()
                .findFirst()
                .filter(value -> value.matches(form))
                .ifPresent(value -> element.put(property, value));
        return element;
    }

    private static ObjectNode text(Field field) {
        ObjectNode element = initial(element("plain_text_input"), "initial_value", field, "(?s).{1,3000}");
        int least = length(field.bounds().least(), 0);
        int most = length(field.bounds().most(), MAX_INPUT);
        return element.put("min_length", Math.min(least, most)).put("max_length", Math.max(1, most));
    }

    private static int length(@Nullable BigDecimal bound, int other) {
        return bound == null
                ? other
                : bound.max(BigDecimal.ZERO).min(BigDecimal.valueOf(MAX_INPUT)).intValue();
    }

    private static ObjectNode number(Field field) {
        ObjectNode element = initial(element("number_input"), "initial_value", field, "-?\\d{1,20}(\\.\\d{1,20})?");
        boolean whole = field.kind() == ChatForm.Kind.INTEGER;
        BigDecimal least = field.bounds().least();
        BigDecimal most = field.bounds().most();
        if (least != null) {
            element.put("min_value", (whole ? least.setScale(0, RoundingMode.CEILING) : least).toPlainString());
        }
        if (most != null) {
            element.put("max_value", (whole ? most.setScale(0, RoundingMode.FLOOR) : most).toPlainString());
        }
        return element;
    }

    private static ObjectNode choice(String type, Field field, List<Option> options) {
        ObjectNode element = element(type);
        ArrayNode list = element.putArray("options");
        options.forEach(option -> list.add(option(option)));
        options.stream()
                .filter(option -> field.initial().contains(option.value()))
                .findFirst()
                .ifPresent(option -> element.set("initial_option", option(option)));
        return element;
    }

    private static ObjectNode choices(Field field) {
        ObjectNode element = choice("multi_static_select", field, field.choices());
        element.remove("initial_option");
        ArrayNode chosen = JSON.createArrayNode();
        field.choices().stream()
                .filter(option -> field.initial().contains(option.value()))
                .forEach(option -> chosen.add(option(option)));
        if (!chosen.isEmpty()) {
            element.set("initial_options", chosen);
        }
        if (field.bounds().most() != null) {
            element.put("max_selected_items", Math.max(1, length(field.bounds().most(), 1)));
        }
        return element;
    }

    private static ObjectNode option(Option option) {
        ObjectNode node = JSON.createObjectNode().put(VALUE, option.value());
        node.set("text", plain(option.label(), MAX_OPTION));
        return node;
    }

    private static ObjectNode plain(String text, int most) {
        return JSON.createObjectNode()
                .put("type", "plain_text")
                .put("text", ClippedText.of(text, most - 1))
                .put("emoji", false);
    }

    /** Where a form came from: the chat and topic of its conversation, and its data. */
    record Metadata(String chat, @Nullable String topic, String data) {}

    /** The metadata of a view; empty where it is none of a form's. */
    static Optional<Metadata> metadata(JsonNode view) {
        try {
            JsonNode read = JSON.readTree(view.path("private_metadata").asText());
            return read != null
                            && read.path("chat").isTextual()
                            && read.path("data").isTextual()
                    ? Optional.of(new Metadata(
                            read.get("chat").asText(),
                            read.path("topic").asText(null),
                            read.get("data").asText()))
                    : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** The values of a view that was sent, by the names of fields; empty ones are left out. */
    static Map<String, List<String>> values(JsonNode view) {
        var values = new LinkedHashMap<String, List<String>>();
        view.path("state").path("values").properties().forEach(block -> {
            List<String> given = given(block.getValue().path(VALUE));
            if (!given.isEmpty()) {
                values.put(block.getKey(), given);
            }
        });
        return values;
    }

    private static List<String> given(JsonNode element) {
        if (element.path("selected_options").isArray()) {
            return StreamSupport.stream(element.get("selected_options").spliterator(), false)
                    .map(option -> option.path(VALUE).asText())
                    .toList();
        }
        String text = element.path(VALUE)
                .asText(element.path("selected_date")
                        .asText(element.path("selected_option").path(VALUE).asText("")));
        return text.isBlank() ? List.of() : List.of(text);
    }
}

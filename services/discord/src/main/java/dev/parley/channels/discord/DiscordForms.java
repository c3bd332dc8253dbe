package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.chat.ChatForm.Field;
import dev.parley.channels.chat.ChatForm.Option;
import dev.parley.channels.contract.ClippedText;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Forms as modals, and their values.
 *
 * @see <a href="https://docs.discord.com/developers/components/using-modal-components">modal components</a>
 */
final class DiscordForms {
    private static final int SELECT = 3;
    private static final int TEXT_INPUT = 4;
    private static final int TEXT_DISPLAY = 10;
    private static final int LABEL = 18;
    private static final int RADIO_GROUP = 21;
    private static final int ONE_LINE = 1;
    private static final int SEVERAL_LINES = 2;

    private static final int MAX_PARTS = 5;
    private static final int MAX_TITLE = 45;
    private static final int MAX_HINT = 100;
    private static final int MAX_OPTIONS = 25;
    /** Of an id, a value, and what people read of an option. */
    private static final int MAX_NAME = 100;

    private static final int MAX_INPUT = 4_000;
    private static final int MAX_NUMBER = 100;
    private static final int DATE = "yyyy-mm-dd".length();

    private DiscordForms() {}

    /**
     * The modal of a form; empty where it cannot show all fields.
     *
     * @param data id of the modal, returned with its values
     */
    static Optional<ObjectNode> modal(ChatForm form, String data) {
        if (form.fields().size() > MAX_PARTS || !form.fields().stream().allMatch(DiscordForms::fits)) {
            return Optional.empty();
        }
        ObjectNode modal =
                DiscordApi.json().put("custom_id", data).put("title", ClippedText.within(form.title(), MAX_TITLE));
        ArrayNode parts = modal.putArray("components");
        // Where there is no room for the text, it stands above the button alone.
        if (!form.text().isBlank() && form.fields().size() < MAX_PARTS) {
            parts.addObject().put("type", TEXT_DISPLAY).put("content", DiscordMarkup.fromPlain(form.text()));
        }
        form.fields().forEach(field -> parts.add(label(field)));
        return Optional.of(modal);
    }

    private static boolean fits(Field field) {
        return fits(field.name())
                && field.choices().size() <= MAX_OPTIONS
                && field.choices().stream()
                        .allMatch(option ->
                                fits(option.value()) && !option.label().isBlank())
                && field.choices().isEmpty() != isChoice(field);
    }

    private static boolean isChoice(Field field) {
        return field.kind() == ChatForm.Kind.CHOICE || field.kind() == ChatForm.Kind.CHOICES;
    }

    private static boolean fits(String id) {
        return !id.isEmpty() && id.length() <= MAX_NAME;
    }

    private static ObjectNode label(Field field) {
        String text = field.label().isBlank() ? field.name() : field.label();
        ObjectNode label = DiscordApi.json().put("type", LABEL).put("label", ClippedText.within(text, MAX_TITLE));
        if (!field.hint().isBlank()) {
            label.put("description", ClippedText.within(field.hint(), MAX_HINT));
        }
        label.set("component", input(field).put("custom_id", field.name()).put("required", field.required()));
        return label;
    }

    private static ObjectNode input(Field field) {
        return switch (field.kind()) {
            case TEXT -> text(field, ONE_LINE);
            case PARAGRAPH -> text(field, SEVERAL_LINES);
            case INTEGER, NUMBER -> text(ONE_LINE, 0, MAX_NUMBER, field);
            case DATE -> text(ONE_LINE, DATE, DATE, field).put("placeholder", "yyyy-mm-dd");
            case YES_NO -> options(RADIO_GROUP, field, List.of(new Option("true", "✓"), new Option("false", "✗")));
            case CHOICE -> options(SELECT, field, field.choices());
            case CHOICES ->
                options(SELECT, field, field.choices())
                        .put("min_values", field.required() ? Math.max(1, least(field)) : 0)
                        .put(
                                "max_values",
                                Math.max(
                                        1,
                                        bound(
                                                field.bounds().most(),
                                                field.choices().size())));
        };
    }

    private static int least(Field field) {
        BigDecimal least = field.bounds().least();
        return least == null
                ? 0
                : bound(
                        least,
                        field.choices().isEmpty() ? MAX_INPUT : field.choices().size());
    }

    private static int bound(@Nullable BigDecimal bound, int most) {
        return bound == null
                ? most
                : bound.max(BigDecimal.ZERO).min(BigDecimal.valueOf(most)).intValue();
    }

    private static ObjectNode text(Field field, int style) {
        int most = Math.max(1, bound(field.bounds().most(), MAX_INPUT));
        return text(style, Math.min(least(field), most), most, field);
    }

    private static ObjectNode text(int style, int least, int most, Field field) {
        ObjectNode input = DiscordApi.json()
                .put("type", TEXT_INPUT)
                .put("style", style)
                .put("min_length", least)
                .put("max_length", most);
        field.initial().stream()
                .findFirst()
                .filter(value -> value.length() >= least && value.length() <= most)
                .ifPresent(value -> input.put("value", value));
        return input;
    }

    private static ObjectNode options(int type, Field field, List<Option> options) {
        ObjectNode input = DiscordApi.json().put("type", type);
        ArrayNode list = input.putArray("options");
        for (Option option : options) {
            list.addObject()
                    .put("value", option.value())
                    .put("label", ClippedText.within(option.label(), MAX_NAME))
                    .put("default", field.initial().contains(option.value()));
        }
        return input;
    }

    /** The values of a modal that was sent, by the names of fields; those of empty fields are missing. */
    static Map<String, List<String>> values(JsonNode modal) {
        var values = new LinkedHashMap<String, List<String>>();
        for (JsonNode part : modal.path("components")) {
            JsonNode input = part.path("component");
            List<String> given = given(input);
            if (!given.isEmpty()) {
                values.put(input.path("custom_id").asText(), given);
            }
        }
        return values;
    }

    private static List<String> given(JsonNode input) {
        if (input.path("values").isArray()) {
            return input.get("values").valueStream().map(JsonNode::asText).toList();
        }
        String value = input.path("value").asText("");
        return value.isBlank() ? List.of() : List.of(value);
    }
}

package dev.parley.channels.teams;

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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Forms as Adaptive Cards with inputs, and their values. Teams returns the inputs beside the data of the action, under
 * their ids, which are the names of the fields after a prefix.
 *
 * @see <a href="https://adaptivecards.microsoft.com/?topic=Input.Text">inputs</a>
 */
final class TeamsForms {
    /** The member of an action's data with the signed data of the form. */
    static final String FORM = "form";

    private static final String ONE = "one:";
    private static final String SEVERAL = "several:";

    private static final int MAX_FIELDS = 100;
    private static final int MAX_OPTIONS = 100;
    private static final int MAX_LABEL = 200;
    private static final int MAX_TEXT = 4_000;
    private static final int MAX_INPUT = 10_000;
    /** In characters, of which Teams counts two bytes each. */
    private static final int MAX_CARD = 40_000;

    private TeamsForms() {}

    /**
     * The card of a form; empty where it cannot show all of it.
     *
     * @param data returned with the values
     */
    static Optional<ObjectNode> card(ChatForm form, String data) {
        if (form.fields().size() > MAX_FIELDS || !form.fields().stream().allMatch(TeamsForms::fits)) {
            return Optional.empty();
        }
        ObjectNode card = Cards.card();
        ArrayNode body = card.putArray("body");
        text(body, ClippedText.within(form.title(), MAX_LABEL)).put("weight", "Bolder");
        if (!form.text().isBlank()) {
            text(body, ClippedText.within(form.text(), MAX_TEXT));
        }
        form.fields().forEach(field -> addInput(body, field));
        Cards.action(card.putArray("actions").addObject(), ClippedText.within(form.send(), MAX_LABEL), FORM, data);
        return card.toString().length() > MAX_CARD ? Optional.empty() : Optional.of(card);
    }

    private static boolean fits(Field field) {
        return field.choices().size() <= MAX_OPTIONS
                && field.choices().stream()
                        .noneMatch(option ->
                                option.value().isEmpty() || option.label().isBlank());
    }

    /** A text that shows markup as it is. */
    private static ObjectNode text(ArrayNode body, String text) {
        return body.addObject()
                .put("type", "RichTextBlock")
                .putArray("inlines")
                .addObject()
                .put("type", "TextRun")
                .put("text", text);
    }

    private static void addInput(ArrayNode body, Field field) {
        if (!field.hint().isBlank()) {
            text(body, ClippedText.within(field.hint(), MAX_LABEL)).put("isSubtle", true);
        }
        String label = ClippedText.within(field.label().isBlank() ? field.name() : field.label(), MAX_LABEL);
        body.add(input(field)
                .put("id", (field.kind() == ChatForm.Kind.CHOICES ? SEVERAL : ONE) + field.name())
                .put("label", label)
                .put("isRequired", field.required())
                .put("errorMessage", label));
    }

    private static ObjectNode input(Field field) {
        return switch (field.kind()) {
            case TEXT -> text(field);
            case PARAGRAPH -> text(field).put("isMultiline", true);
            case INTEGER, NUMBER -> number(field);
            case DATE -> initial(input("Input.Date"), field, "\\d{4}-\\d{2}-\\d{2}");
            case YES_NO -> choices(field, List.of(new Option("true", "✓"), new Option("false", "✗")), "expanded");
            case CHOICE -> choices(field, field.choices(), "compact");
            case CHOICES -> choices(field, field.choices(), "compact").put("isMultiSelect", true);
        };
    }

    private static ObjectNode input(String type) {
        return TeamsApi.object().put("type", type);
    }

    private static ObjectNode initial(ObjectNode input, Field field, String form) {
        field.initial().stream()
                .findFirst()
                .filter(value -> value.matches(form))
                .ifPresent(value -> input.put("value", value));
        return input;
    }

    private static ObjectNode text(Field field) {
        int most = length(field.bounds().most(), MAX_INPUT);
        int least = Math.min(length(field.bounds().least(), 0), most);
        ObjectNode input = initial(input("Input.Text"), field, "(?s).{1,%d}".formatted(Math.max(1, most)))
                .put("maxLength", Math.max(1, most));
        return least == 0 ? input : input.put("regex", "^[\\s\\S]{%d,}$".formatted(least));
    }

    private static int length(@Nullable BigDecimal bound, int other) {
        return bound == null
                ? other
                : bound.max(BigDecimal.ZERO).min(BigDecimal.valueOf(MAX_INPUT)).intValue();
    }

    private static ObjectNode number(Field field) {
        ObjectNode input = input("Input.Number");
        field.initial().stream()
                .findFirst()
                .filter(value -> value.matches("-?\\d{1,15}(\\.\\d{1,15})?"))
                .ifPresent(value -> input.put("value", new BigDecimal(value)));
        if (field.bounds().least() != null) {
            input.put("min", field.bounds().least());
        }
        if (field.bounds().most() != null) {
            input.put("max", field.bounds().most());
        }
        return input;
    }

    /** Several values come back with commas between them, so commas in such a value are encoded. */
    private static ObjectNode choices(Field field, List<Option> options, String style) {
        ObjectNode input = input("Input.ChoiceSet").put("style", style);
        ArrayNode list = input.putArray("choices");
        options.forEach(option -> list.addObject()
                .put("title", ClippedText.within(option.label(), MAX_LABEL))
                .put("value", value(field, option)));
        List<String> chosen = options.stream()
                .filter(option -> field.initial().contains(option.value()))
                .map(option -> value(field, option))
                .toList();
        if (!chosen.isEmpty()) {
            boolean several = field.kind() == ChatForm.Kind.CHOICES;
            input.put("value", several ? String.join(",", chosen) : chosen.getFirst());
        }
        return input;
    }

    private static String value(Field field, Option option) {
        return field.kind() == ChatForm.Kind.CHOICES
                ? option.value().replace("%", "%25").replace(",", "%2C")
                : option.value();
    }

    /**
     * The values of a form that was sent, by the names of fields; those of empty fields, and what is no value, are left
     * out.
     */
    static Map<String, List<String>> values(JsonNode data) {
        var values = new LinkedHashMap<String, List<String>>();
        data.properties().forEach(member -> {
            String id = member.getKey();
            String text = member.getValue().isValueNode() ? member.getValue().asText("") : "";
            if (!text.isBlank() && values.size() < MAX_FIELDS) {
                if (id.startsWith(ONE)) {
                    values.put(id.substring(ONE.length()), List.of(text));
                } else if (id.startsWith(SEVERAL)) {
                    values.put(id.substring(SEVERAL.length()), several(text));
                }
            }
        });
        return values;
    }

    private static List<String> several(String text) {
        return Stream.of(text.split(","))
                .map(value -> value.replace("%2C", ",").replace("%25", "%"))
                .toList();
    }
}

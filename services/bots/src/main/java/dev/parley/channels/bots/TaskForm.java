package dev.parley.channels.bots;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.chat.ChatForm.Bounds;
import dev.parley.channels.chat.ChatForm.Field;
import dev.parley.channels.chat.ChatForm.Kind;
import dev.parley.channels.chat.ChatForm.Option;
import dev.parley.channels.contract.ClippedText;
import dev.parley.platform.json.JsonMappers;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a human task: the properties of its JSON schema. Answers have the types that the schema names; whether
 * they are valid decides the workflow.
 */
final class TaskForm {
    private static final ObjectMapper JSON = JsonMappers.request();
    private static final Set<String> YES = Set.of("yes", "true", "ja", "si", "sí", "oui");
    /** A text that may be longer is a text of several lines. */
    private static final int LINE = 200;

    private static final int MAX_LABEL = 200;

    private final JsonNode schema;

    /** @param schema of an object */
    TaskForm(JsonNode schema) {
        this.schema = schema;
    }

    private JsonNode properties() {
        return schema.path("properties");
    }

    List<String> names() {
        var names = new ArrayList<String>();
        properties().fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** What people read of a field. */
    String label(String name) {
        JsonNode field = properties().path(name);
        return ClippedText.of(field.path("title").asText(name), MAX_LABEL);
    }

    /** A field as a line of text: its name, and its title or type. */
    String line(String name) {
        JsonNode field = properties().path(name);
        return name + ": " + field.path("title").asText(field.path("type").asText("text"));
    }

    /** The form; empty where it has no fields, or one with parts of its own. */
    Optional<ChatForm> form(String title, String text, String send) {
        Set<String> required =
                Set.copyOf(StreamSupport.stream(schema.path("required").spliterator(), false)
                        .map(JsonNode::asText)
                        .toList());
        var fields = new ArrayList<Field>();
        for (String name : names()) {
            Kind kind = kind(properties().path(name));
            if (kind == null) {
                return Optional.empty();
            }
            fields.add(field(name, kind, required.contains(name)));
        }
        return fields.isEmpty() ? Optional.empty() : Optional.of(new ChatForm(title, text, send, fields));
    }

    /** Null for what no field can take. */
    private static @Nullable Kind kind(JsonNode field) {
        if (field.path("enum").isArray()) {
            return Kind.CHOICE;
        }
        return switch (field.path("type").asText("string")) {
            case "integer" -> Kind.INTEGER;
            case "number" -> Kind.NUMBER;
            case "boolean" -> Kind.YES_NO;
            case "array" ->
                field.path("items").path("enum").isArray() ? Kind.CHOICES : isFlat(field) ? Kind.TEXT : null;
            case "string" -> field.path("format").asText().equals("date") ? Kind.DATE : text(field);
            default -> null;
        };
    }

    private static boolean isFlat(JsonNode array) {
        return Set.of("string", "integer", "number")
                .contains(array.path("items").path("type").asText("string"));
    }

    private static Kind text(JsonNode field) {
        return field.path("maxLength").asInt(0) > LINE ? Kind.PARAGRAPH : Kind.TEXT;
    }

    private Field field(String name, Kind kind, boolean required) {
        JsonNode field = properties().path(name);
        return new Field(
                name,
                label(name),
                field.path("description").asText(""),
                kind,
                options(kind == Kind.CHOICES ? field.path("items").path("enum") : field.path("enum")),
                required,
                values(field.path("default")),
                bounds(kind, field));
    }

    private static List<Option> options(JsonNode values) {
        return StreamSupport.stream(values.spliterator(), false)
                .map(value -> new Option(value.asText(), value.asText()))
                .toList();
    }

    private static List<String> values(JsonNode initial) {
        return initial.isValueNode() && !initial.isNull()
                ? List.of(initial.asText())
                : StreamSupport.stream(initial.spliterator(), false)
                        .map(JsonNode::asText)
                        .toList();
    }

    private static Bounds bounds(Kind kind, JsonNode field) {
        return switch (kind) {
            case INTEGER, NUMBER -> bounds(field, "minimum", "maximum");
            case TEXT, PARAGRAPH -> bounds(field, "minLength", "maxLength");
            case CHOICES -> bounds(field, "minItems", "maxItems");
            case DATE, YES_NO, CHOICE -> Bounds.NONE;
        };
    }

    private static Bounds bounds(JsonNode field, String least, String most) {
        return new Bounds(bound(field.path(least)), bound(field.path(most)));
    }

    private static @Nullable BigDecimal bound(JsonNode number) {
        return number.isNumber() ? number.decimalValue() : null;
    }

    /** The values of a form, as JSON. */
    ObjectNode answer(Map<String, List<String>> values) {
        ObjectNode fields = JSON.createObjectNode();
        for (String name : names()) {
            List<String> given = values.getOrDefault(name, List.of());
            if (given.isEmpty()) {
                continue;
            }
            JsonNode field = properties().path(name);
            boolean isList = field.path("type").asText().equals("array");
            if (isList && field.path("items").path("enum").isArray()) {
                ArrayNode items = fields.putArray(name);
                given.forEach(value -> items.add(value(field.path("items"), value)));
            } else {
                set(fields, name, given.getFirst());
            }
        }
        return fields;
    }

    /** A text as JSON; one line per field, or the whole text where there is only one field. */
    ObjectNode answer(String text) {
        ObjectNode fields = JSON.createObjectNode();
        for (String line : text.split("\n")) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                String name = line.substring(0, colon).strip();
                names().stream()
                        .filter(name::equalsIgnoreCase)
                        .findFirst()
                        .ifPresent(property ->
                                set(fields, property, line.substring(colon + 1).strip()));
            }
        }
        if (fields.isEmpty() && properties().size() == 1) {
            set(fields, names().getFirst(), text.strip());
        }
        return fields;
    }

    private void set(ObjectNode fields, String name, String text) {
        JsonNode field = properties().path(name);
        if (field.path("type").asText().equals("array")) {
            ArrayNode items = fields.putArray(name);
            for (String item : text.split(",")) {
                items.add(value(field.path("items"), item.strip()));
            }
        } else {
            fields.set(name, value(field, text));
        }
    }

    /** A value of an enumeration, or of the type that the schema names. */
    private static JsonNode value(JsonNode field, String text) {
        for (JsonNode value : field.path("enum")) {
            if (value.asText().equals(text)) {
                return value;
            }
        }
        return switch (field.path("type").asText()) {
            case "integer", "number" -> number(text);
            case "boolean" -> JSON.getNodeFactory().booleanNode(YES.contains(text.toLowerCase(Locale.ROOT)));
            default -> JSON.getNodeFactory().textNode(text);
        };
    }

    /** A number, or the text itself, which the workflow then rejects. */
    private static JsonNode number(String text) {
        try {
            return JSON.getNodeFactory().numberNode(new BigDecimal(text.replace(',', '.')));
        } catch (NumberFormatException e) {
            return JSON.getNodeFactory().textNode(text);
        }
    }
}

package dev.parley.domain.turn.answer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.parley.domain.JsonWriter;
import dev.parley.domain.json.JsonBounds;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The scalar arguments of a tool that the turn machine executes. */
public record ToolArguments(Map<String, String> values) {
    private static final JsonFactory JSON = JsonBounds.STORED.factory();
    private static final String UNNAMED = "a safety check";

    public ToolArguments {
        values = Map.copyOf(values);
    }

    /** Parses a JSON object; empty if the text is not one. Nested values are ignored. */
    public static Optional<ToolArguments> of(String json) {
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            ToolArguments read = members(parser);
            return parser.nextToken() == null ? Optional.of(read) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Parses a JSON object; without arguments if the text is not one. */
    public static ToolArguments orEmpty(String json) {
        return of(json).orElse(new ToolArguments(Map.of()));
    }

    /**
     * Parses the objects in the array of this name; empty if there is no such array of objects. Nested values are
     * ignored.
     */
    public static Optional<List<ToolArguments>> objects(String json, String name) {
        Optional<List<ToolArguments>> found = Optional.empty();
        try (JsonParser parser = JSON.createParser(json)) {
            parser.nextToken();
            while (findArray(parser, name)) {
                found = objects(parser);
            }
            boolean isComplete = parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
            return isComplete ? found : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Advances to the next array of this name in the object that the parser is in; false if there is no further one. */
    private static boolean findArray(JsonParser parser, String name) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean isMatch = parser.currentName().equals(name);
            if (parser.nextToken() == JsonToken.START_ARRAY && isMatch) {
                return true;
            }
            parser.skipChildren();
        }
        return false;
    }

    /** The objects of the array at the parser's position; empty if it contains other values. */
    private static Optional<List<ToolArguments>> objects(JsonParser parser) throws IOException {
        var objects = new ArrayList<ToolArguments>();
        while (parser.nextToken() == JsonToken.START_OBJECT) {
            objects.add(members(parser));
        }
        return parser.currentToken() == JsonToken.END_ARRAY ? Optional.of(objects) : Optional.empty();
    }

    /**
     * The safety checks that a person must confirm before the call is executed: the message of each of its
     * {@code pending_safety_checks}, or its code or id if it has none.
     */
    public static List<String> pendingChecks(String json) {
        var pending = new ArrayList<String>();
        try (JsonParser parser = JSON.createParser(json)) {
            parser.nextToken();
            while (findArray(parser, "pending_safety_checks")) {
                while (parser.nextToken() != JsonToken.END_ARRAY && parser.currentToken() != null) {
                    pending.add(check(parser));
                }
            }
        } catch (IOException e) {
            return pending; // what was found before still holds
        }
        return pending;
    }

    private static String check(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return UNNAMED;
        }
        ToolArguments check = members(parser);
        return Stream.of("message", "code", "id")
                .map(check::text)
                .filter(text -> !text.isBlank())
                .findFirst()
                .orElse(UNNAMED);
    }

    /** The scalar members of the object that the parser is at. */
    private static ToolArguments members(JsonParser parser) throws IOException {
        var values = new HashMap<String, String>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value != null && value.isScalarValue()) {
                values.put(name, value == JsonToken.VALUE_NULL ? "" : parser.getText());
            } else {
                parser.skipChildren();
            }
        }
        return new ToolArguments(values);
    }

    /**
     * Replaces texts in JSON; empty if nothing is replaced. Text that is not valid JSON is treated as one string.
     *
     * @param change the replacement of a name, a string or a number; empty to keep it
     */
    public static Optional<String> replaceTexts(String json, Function<String, Optional<String>> change) {
        var text = new StringWriter();
        boolean changed = false;
        try (JsonParser parser = JSON.createParser(json);
                JsonGenerator copy = JSON.createGenerator(text)) {
            while (parser.nextToken() != null) {
                changed |= copyToken(parser, copy, change);
            }
        } catch (IOException e) {
            return change.apply(json);
        }
        return changed ? Optional.of(text.toString()) : Optional.empty();
    }

    private static boolean copyToken(JsonParser from, JsonGenerator to, Function<String, Optional<String>> change)
            throws IOException {
        JsonToken token = from.currentToken();
        boolean isText = token == JsonToken.FIELD_NAME || token == JsonToken.VALUE_STRING || token.isNumeric();
        Optional<String> other = isText ? change.apply(from.getText()) : Optional.empty();
        if (other.isEmpty() && token.isNumeric()) {
            to.writeNumber(from.getText()); // as it is written: a copied event loses digits
        } else if (other.isEmpty()) {
            to.copyCurrentEvent(from);
        } else if (token == JsonToken.FIELD_NAME) {
            to.writeFieldName(other.get());
        } else {
            to.writeString(other.get());
        }
        return other.isPresent();
    }

    /** A JSON object of strings, from alternating names and values. */
    public static String json(String... members) {
        return JsonWriter.text(json -> {
            json.writeStartObject();
            for (int i = 0; i < members.length; i += 2) {
                json.writeStringField(members[i], members[i + 1]);
            }
            json.writeEndObject();
        });
    }

    public String text(String name) {
        return values.getOrDefault(name, "");
    }

    public boolean flag(String name) {
        return text(name).equals("true");
    }
}

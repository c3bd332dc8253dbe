package dev.parley.domain.memory.prompt;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.parley.domain.json.JsonBounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON object in a model's answer. It may be in a code fence; any other text around it makes the answer unusable.
 *
 * @param members of the object: strings, numbers, booleans, lists and objects
 */
public record JsonAnswer(Map<String, Object> members) {
    /** Maximum characters of an answer. */
    public static final int MAX_LENGTH = 1 << 20;

    private static final JsonFactory JSON =
            JsonBounds.ANSWER.factory().copy().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    public JsonAnswer {
        members = Map.copyOf(members);
    }

    /**
     * Parses an answer.
     *
     * @throws IllegalArgumentException if it is not a JSON object; the message is a sentence
     */
    public static JsonAnswer read(String answer) {
        if (answer.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("the answer is longer than " + MAX_LENGTH + " characters");
        }
        try (JsonParser parser = JSON.createParser(stripFence(answer))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("the answer is not a JSON object");
            }
            var read = new JsonAnswer(object(parser));
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("something stands behind the JSON object");
            }
            return read;
        } catch (IOException e) {
            throw new IllegalArgumentException("the answer is not valid JSON: " + firstLine(e), e);
        }
    }

    private static String firstLine(IOException e) {
        String message = e.getMessage();
        return message == null ? "" : message.lines().findFirst().orElse("");
    }

    private static String stripFence(String answer) {
        String text = answer.strip();
        if (!text.startsWith("```") || !text.endsWith("```") || text.length() < 6) {
            return text;
        }
        int line = text.indexOf('\n');
        return line < 0 ? "" : text.substring(line, Math.max(line, text.length() - 3));
    }

    private static Map<String, Object> object(JsonParser parser) throws IOException {
        var members = new LinkedHashMap<String, Object>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            value(parser).ifPresent(value -> members.put(name, value));
        }
        return members;
    }

    private static Optional<Object> value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> Optional.of(new JsonAnswer(object(parser)));
            case START_ARRAY -> Optional.of(list(parser));
            case VALUE_STRING -> Optional.of(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Optional.of(parser.getDoubleValue());
            case VALUE_TRUE -> Optional.of(true);
            case VALUE_FALSE -> Optional.of(false);
            case VALUE_NULL, END_ARRAY, END_OBJECT, FIELD_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
                Optional.empty();
        };
    }

    private static List<Object> list(JsonParser parser) throws IOException {
        var list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            value(parser).ifPresent(list::add);
        }
        return List.copyOf(list);
    }

    /** Whether there is a non-null member of this name. */
    public boolean has(String name) {
        return members.containsKey(name);
    }

    /** A string, stripped; empty if it is missing or blank. */
    public Optional<String> text(String name) {
        return members.get(name) instanceof String text && !text.isBlank()
                ? Optional.of(text.strip())
                : Optional.empty();
    }

    /** A number; empty if it is missing. */
    public Optional<Double> number(String name) {
        return members.get(name) instanceof Double number ? Optional.of(number) : Optional.empty();
    }

    /** A boolean; false if it is missing. */
    public boolean flag(String name) {
        return Boolean.TRUE.equals(members.get(name));
    }

    /** The strings in a list, stripped, without blank ones; empty if there is no list. */
    public List<String> texts(String name) {
        return items(name).stream()
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList();
    }

    /** The objects in a list; empty if there is no list. */
    public List<JsonAnswer> objects(String name) {
        return items(name).stream()
                .filter(JsonAnswer.class::isInstance)
                .map(JsonAnswer.class::cast)
                .toList();
    }

    /** The items of a list, of any type; empty if there is no list. */
    public List<?> items(String name) {
        return members.get(name) instanceof List<?> list ? list : List.of();
    }
}

package dev.parley.workflows.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.parley.domain.json.JsonBounds;
import dev.parley.domain.json.JsonBoundsException;
import dev.parley.domain.json.PlainDecimal;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** Parser and writer of JSON. */
public final class JsonText {
    /** Maximum nesting of arrays and objects. */
    public static final int MAX_DEPTH = JsonBounds.WORKFLOW.depth();

    /** Maximum digits of a number before or after the point, written without exponent. */
    private static final int MAX_DIGITS = 400;

    private static final JsonFactory JSON = JsonBounds.WORKFLOW.factory();

    private JsonText() {}

    /** The object or array in a text, else the text itself. */
    public static Json readOrText(String text) {
        String json = text.strip();
        if (!json.startsWith("{") && !json.startsWith("[")) {
            return Json.of(text);
        }
        try {
            return read(json);
        } catch (IllegalArgumentException e) {
            return Json.of(text);
        }
    }

    /**
     * Parses a text.
     *
     * @throws IllegalArgumentException if the text is not valid JSON or too deep, with the location
     */
    public static Json read(String text) {
        return read(JSON, text);
    }

    /**
     * Parses a text that a caller sends.
     *
     * @throws JsonBoundsException if it is larger than the body of a request may be
     * @throws IllegalArgumentException if it is not valid JSON, with the location
     */
    public static Json readRequest(String text) throws JsonBoundsException {
        try {
            return read(JsonBounds.REQUEST.factory(), text);
        } catch (IllegalArgumentException e) {
            if (e.getCause() instanceof JsonBoundsException beyond) {
                throw beyond;
            }
            throw e;
        }
    }

    private static Json read(JsonFactory factory, String text) {
        try (JsonParser parser = factory.createParser(text)) {
            if (parser.nextToken() == null) {
                throw new IllegalArgumentException("the text is empty");
            }
            Json value = value(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("unexpected text after the JSON value");
            }
            return value;
        } catch (JsonProcessingException e) {
            var location = e.getLocation();
            throw new IllegalArgumentException(
                    "invalid JSON: " + e.getOriginalMessage()
                            + (location == null
                                    ? ""
                                    : ", line " + location.getLineNr() + ", column " + location.getColumnNr()),
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Json value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_NULL -> Values.NULL;
            case VALUE_TRUE -> Values.TRUE;
            case VALUE_FALSE -> Values.FALSE;
            case VALUE_STRING -> Json.of(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getDecimalValue());
            case START_ARRAY -> array(parser);
            default -> object(parser);
        };
    }

    /**
     * A number.
     *
     * @throws IllegalArgumentException if the number has too many digits
     */
    public static Json number(BigDecimal value) {
        if (!isWritable(value)) {
            throw new IllegalArgumentException("a number has at most " + MAX_DIGITS + " digits");
        }
        return new Json.Num(value);
    }

    /** Whether a number can be written without exponent within the limit. */
    public static boolean isWritable(BigDecimal value) {
        return Math.abs((long) value.scale()) <= MAX_DIGITS && value.precision() <= MAX_DIGITS;
    }

    private static Json array(JsonParser parser) throws IOException {
        var items = new ArrayList<Json>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(parser));
        }
        return Json.of(items);
    }

    private static Json object(JsonParser parser) throws IOException {
        var members = new LinkedHashMap<String, Json>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            members.put(name, value(parser));
        }
        return Json.of(members);
    }

    /** Writes a value on one line, numbers without exponent. */
    public static String write(Json value) {
        var text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(text)) {
            write(generator, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator generator, Json value) throws IOException {
        switch (value) {
            case Json.Null _ -> generator.writeNull();
            case Json.Bool(boolean bool) -> generator.writeBoolean(bool);
            case Json.Num(BigDecimal number) -> generator.writeNumber(PlainDecimal.text(number));
            case Json.Str(String text) -> generator.writeString(text);
            case Json.Arr(List<Json> items) -> writeArray(generator, items);
            case Json.Obj(SequencedMap<String, Json> members) -> writeObject(generator, members);
        }
    }

    private static void writeArray(JsonGenerator generator, List<Json> items) throws IOException {
        generator.writeStartArray();
        for (Json item : items) {
            write(generator, item);
        }
        generator.writeEndArray();
    }

    private static void writeObject(JsonGenerator generator, SequencedMap<String, Json> members) throws IOException {
        generator.writeStartObject();
        for (var member : members.entrySet()) {
            generator.writeFieldName(member.getKey());
            write(generator, member.getValue());
        }
        generator.writeEndObject();
    }
}

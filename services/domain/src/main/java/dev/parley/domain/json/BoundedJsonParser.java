package dev.parley.domain.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A parser that counts what it returns, and throws {@link JsonBoundsException} beyond its {@link JsonBounds}. */
final class BoundedJsonParser extends JsonParserDelegate {
    private static final int MAX_EXPONENT_DIGITS = 6;

    private final JsonBounds bounds;

    /** The members so far of the object at each depth. */
    private final int[] members;

    private int tokens;
    private int depth;

    BoundedJsonParser(JsonParser parser, JsonBounds bounds) {
        super(parser);
        this.bounds = bounds;
        this.members = new int[bounds.depth() + 1];
    }

    @Override
    public @Nullable JsonToken nextToken() throws IOException {
        JsonToken token = super.nextToken();
        if (token != null) {
            count(token);
        }
        return token;
    }

    @Override
    public @Nullable JsonToken nextValue() throws IOException {
        JsonToken token = nextToken();
        return token == JsonToken.FIELD_NAME ? nextToken() : token;
    }

    @Override
    public JsonParser skipChildren() throws IOException {
        boolean isInside = currentToken() != null && currentToken().isStructStart();
        super.skipChildren();
        depth -= isInside ? 1 : 0;
        return this;
    }

    private void count(JsonToken token) throws IOException {
        if (++tokens > bounds.tokens()) {
            throw tooMany("too_many_values", "JSON has at most " + bounds.tokens() + " values, names and brackets");
        }
        switch (token) {
            case START_OBJECT, START_ARRAY -> enter();
            case END_OBJECT, END_ARRAY -> depth--;
            case FIELD_NAME -> member();
            case VALUE_NUMBER_FLOAT -> requireShort();
            case VALUE_NUMBER_INT,
                    VALUE_STRING,
                    VALUE_TRUE,
                    VALUE_FALSE,
                    VALUE_NULL,
                    VALUE_EMBEDDED_OBJECT,
                    NOT_AVAILABLE -> {}
        }
    }

    private void enter() throws IOException {
        if (++depth > bounds.depth()) {
            throw tooMany("too_deep", "JSON is nested at most " + bounds.depth() + " levels deep");
        }
        members[depth] = 0;
    }

    private void member() throws IOException {
        if (++members[depth] > bounds.members()) {
            throw tooMany("too_many_members", "an object has at most " + bounds.members() + " members");
        }
    }

    /** Checks the exponent: a number of ten characters can be an integer of a billion digits. */
    private void requireShort() throws IOException {
        String number = getText();
        int at = Math.max(number.lastIndexOf('e'), number.lastIndexOf('E'));
        if (at < 0 || bounds.exponent() == Integer.MAX_VALUE) {
            return;
        }
        String exponent = number.substring(at + 1).replaceFirst("^[+-]?0*", "");
        if (exponent.length() > MAX_EXPONENT_DIGITS
                || !exponent.isEmpty() && Integer.parseInt(exponent) > bounds.exponent()) {
            throw tooMany(
                    "number_out_of_range",
                    "the exponent of a number is between -%1$d and %1$d".formatted(bounds.exponent()));
        }
    }

    private JsonBoundsException tooMany(String code, String message) {
        return new JsonBoundsException(code, message, currentLocation());
    }
}

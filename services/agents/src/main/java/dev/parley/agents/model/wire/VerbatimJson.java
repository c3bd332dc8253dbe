package dev.parley.agents.model.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.parley.domain.json.JsonBounds;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value together with its source text. Values that are sent back to a provider are copied from that text and not
 * serialised again, so big numbers, {@code 1.0}, duplicate keys and the order of keys are preserved.
 *
 * <p>Access is lenient: an absent value is {@link #MISSING}, which has no members either. Of duplicate keys the last
 * one counts.
 */
public final class VerbatimJson {
    /** An absent value. */
    public static final VerbatimJson MISSING = new VerbatimJson(null, "", 0, 0);

    private static final JsonFactory FACTORY = JsonBounds.PROVIDER.factory();

    private final @Nullable JsonToken token;
    private final String source;
    private final int begin;
    private int end;
    private String string = "";
    private final List<VerbatimJson> items = new ArrayList<>(0);
    private final Map<String, VerbatimJson> members = new LinkedHashMap<>(0);

    private VerbatimJson(@Nullable JsonToken token, String source, int begin, int end) {
        this.token = token;
        this.source = source;
        this.begin = begin;
        this.end = end;
    }

    /**
     * Parses exactly one value.
     *
     * @throws IOException when the text is not valid JSON; the message has the position
     */
    public static VerbatimJson parse(String source) throws IOException {
        try (JsonParser parser = FACTORY.createParser(source)) {
            if (parser.nextToken() == null) {
                throw new JsonParseException(parser, "empty input");
            }
            VerbatimJson value = read(parser, source);
            if (parser.nextToken() != null) {
                throw new JsonParseException(parser, "trailing content");
            }
            return value;
        }
    }

    /** The value of a text; {@link #MISSING} where it is not valid JSON. */
    public static VerbatimJson orMissing(String source) {
        try {
            return parse(source);
        } catch (IOException e) {
            return MISSING;
        }
    }

    private static VerbatimJson read(JsonParser parser, String source) throws IOException {
        JsonToken token = parser.currentToken();
        int begin = (int) parser.currentTokenLocation().getCharOffset();
        var value = new VerbatimJson(token, source, begin, begin);
        if (token == JsonToken.START_OBJECT) {
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                value.members.put(name, read(parser, source));
            }
        } else if (token == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                value.items.add(read(parser, source));
            }
        } else {
            value.string = parser.getText(); // also advances to the value's end
        }
        value.end = (int) parser.currentLocation().getCharOffset();
        return value;
    }

    /** Whether a text is a complete JSON object. */
    public static boolean isObject(String text) {
        return orMissing(text).token == JsonToken.START_OBJECT;
    }

    /** The source text of the value; empty if it is absent. */
    public String text() {
        return source.substring(begin, end);
    }

    /** The value under this path of names. */
    public VerbatimJson at(String... names) {
        VerbatimJson value = this;
        for (String name : names) {
            value = value.members.getOrDefault(name, MISSING);
        }
        return value;
    }

    /** The members of an object, in their order; empty for anything else. */
    public Map<String, VerbatimJson> members() {
        return members;
    }

    /** The items of an array; empty for anything else. */
    public List<VerbatimJson> items() {
        return items;
    }

    /** Whether the value exists and is not {@code null}. */
    public boolean isPresent() {
        return token != null && token != JsonToken.VALUE_NULL;
    }

    public boolean isString() {
        return token == JsonToken.VALUE_STRING;
    }

    /** The decoded string; empty for anything else. A piece of a stream may end with a high surrogate. */
    public String string() {
        return isString() ? string : "";
    }

    /** The decoded string, or a default for an empty one and anything else. */
    public String string(String fallback) {
        return string().isEmpty() ? fallback : string;
    }

    /** The number as a long, or 0 for anything else. */
    public long number() {
        if (token == null || !token.isNumeric()) {
            return 0;
        }
        try {
            return new BigDecimal(string).longValue();
        } catch (NumberFormatException e) {
            return 0; // NaN and the like
        }
    }

    /** Whether the value is {@code true}. */
    public boolean isTrue() {
        return token == JsonToken.VALUE_TRUE;
    }

    /**
     * The text of this object with some members replaced, or appended if they are new. Everything else is unchanged.
     *
     * @param values JSON by member name, unchecked
     */
    public String with(Map<String, String> values) {
        var text = new StringBuilder(text());
        var last = Comparator.comparingInt((Map.Entry<String, String> value) -> at(value.getKey()).begin)
                .reversed();
        values.entrySet().stream()
                .filter(value -> members.containsKey(value.getKey()))
                .sorted(last)
                .forEach(value -> {
                    VerbatimJson old = at(value.getKey());
                    text.replace(old.begin - begin, old.end - begin, value.getValue());
                });
        boolean empty = members.isEmpty();
        for (var value : values.entrySet()) {
            if (!members.containsKey(value.getKey())) {
                text.insert(text.length() - 1, (empty ? "\"" : ",\"") + value.getKey() + "\":" + value.getValue());
                empty = false;
            }
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return token == null ? "missing" : text();
    }
}

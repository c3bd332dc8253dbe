package dev.parley.tools.files;

import dev.parley.tools.files.WorkspaceException.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * What somebody notes of a version of a file besides what is in it: texts, numbers and booleans by their names. Nobody reads it but who
 * asks for it.
 */
public record FileMetadata(SortedMap<String, Object> values) {
    /** Most names. */
    static final int MOST_KEYS = 32;

    /** Characters of the longest name. */
    static final int LONGEST_KEY = 64;

    /** Most characters as JSON that is ASCII: it stands in a header. */
    static final int MOST_CHARACTERS = 4_096;

    /** Nothing. */
    public static final FileMetadata NONE = new FileMetadata(new TreeMap<>());

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final TypeReference<Map<String, @Nullable Object>> ANY = new TypeReference<>() {};

    public FileMetadata {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    /** These values. @throws WorkspaceException when something in them cannot be metadata */
    public static FileMetadata of(Map<String, ? extends @Nullable Object> given) {
        if (given.size() > MOST_KEYS) {
            throw bad("has at most %d names, not %d".formatted(MOST_KEYS, given.size()));
        }
        var values = new TreeMap<String, Object>();
        given.forEach((key, value) -> {
            if (key.isBlank() || key.length() > LONGEST_KEY || !isText(key)) {
                throw bad("has names of 1 to %d characters".formatted(LONGEST_KEY));
            }
            values.put(key, value(key, value));
        });
        var metadata = new FileMetadata(values);
        int length = metadata.json().length();
        if (length > MOST_CHARACTERS) {
            throw bad("has at most %,d characters as JSON in ASCII, not %,d".formatted(MOST_CHARACTERS, length));
        }
        return metadata;
    }

    /** What a JSON object says. @throws WorkspaceException when it is none, or cannot be metadata */
    public static FileMetadata read(String json) {
        if (json.length() > MOST_CHARACTERS) {
            throw bad("has at most %,d characters as JSON in ASCII".formatted(MOST_CHARACTERS));
        }
        Map<String, @Nullable Object> given;
        try {
            given = JSON.readValue(json, ANY);
        } catch (JacksonException e) {
            throw bad("is a JSON object, such as {\"status\":\"draft\"}");
        }
        if (given == null) {
            throw bad("is a JSON object, not null");
        }
        return of(given);
    }

    /** What a column says. */
    static FileMetadata kept(String json) {
        return json.equals("{}") ? NONE : new FileMetadata(new TreeMap<>(JSON.readValue(json, ANY)));
    }

    private static Object value(String key, @Nullable Object value) {
        return switch (value) {
            case String text when isText(text) -> text;
            case Boolean flag -> flag;
            case Integer number -> number;
            case Long number -> number;
            case Number number when Math.abs(number.doubleValue()) < 1e15 -> number.doubleValue();
            case null, default ->
                throw bad("has texts, numbers up to 15 digits and booleans; that of '%s' is something else"
                        .formatted(key));
        };
    }

    /** What a column takes, and what can be written. */
    private static boolean isText(String text) {
        return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static WorkspaceException bad(String what) {
        return new WorkspaceException(Kind.INVALID, "metadata " + what);
    }

    /** As JSON, in ASCII. */
    public String json() {
        return JSON.writeValueAsString(values);
    }

    /** Whether a value is written so. */
    boolean has(String key, String value) {
        return value.equals(String.valueOf(values.get(key)));
    }

    /** Whether there is nothing. */
    boolean isEmpty() {
        return values.isEmpty();
    }
}

package dev.parley.tools.files;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.parley.platform.json.JsonMappers;
import dev.parley.tools.files.WorkspaceException.Kind;
import io.micronaut.core.convert.ConversionContext;
import io.micronaut.data.model.runtime.convert.AttributeConverter;
import jakarta.inject.Singleton;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The metadata of a file version: texts, numbers and booleans by name. Parley does not interpret it. */
public record FileMetadata(SortedMap<String, Object> values) {
    /** Maximum number of names. */
    static final int MAX_KEYS = 32;

    /** Maximum characters of a name. */
    static final int MAX_KEY_LENGTH = 64;

    /** Maximum characters as ASCII JSON, which is sent in a header. */
    static final int MAX_CHARACTERS = 4_096;

    /** Empty metadata. */
    public static final FileMetadata NONE = new FileMetadata(new TreeMap<>());

    private static final ObjectMapper JSON = JsonMappers.shared();
    private static final ObjectWriter ASCII = JSON.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);
    private static final TypeReference<Map<String, @Nullable Object>> ANY = new TypeReference<>() {};

    public FileMetadata {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    /**
     * Metadata of these values.
     *
     * @throws WorkspaceException when one is invalid
     */
    public static FileMetadata of(Map<String, ? extends @Nullable Object> input) {
        if (input.size() > MAX_KEYS) {
            throw invalid("has at most %d names, not %d".formatted(MAX_KEYS, input.size()));
        }
        var values = new TreeMap<String, Object>();
        input.forEach((key, value) -> {
            if (key.isBlank() || key.length() > MAX_KEY_LENGTH || !isText(key)) {
                throw invalid("has names of 1 to %d characters".formatted(MAX_KEY_LENGTH));
            }
            values.put(key, value(key, value));
        });
        var metadata = new FileMetadata(values);
        int length = metadata.json().length();
        if (length > MAX_CHARACTERS) {
            throw invalid("has at most %,d characters as JSON in ASCII, not %,d".formatted(MAX_CHARACTERS, length));
        }
        return metadata;
    }

    /**
     * Parses a JSON object.
     *
     * @throws WorkspaceException when it is invalid
     */
    public static FileMetadata read(String json) {
        if (json.length() > MAX_CHARACTERS) {
            throw invalid("has at most %,d characters as JSON in ASCII".formatted(MAX_CHARACTERS));
        }
        Map<String, @Nullable Object> input;
        try {
            input = JSON.readValue(json, ANY);
        } catch (JsonProcessingException e) {
            throw invalid("must be a JSON object, such as {\"status\":\"draft\"}");
        }
        if (input == null) {
            throw invalid("must be a JSON object, not null");
        }
        return of(input);
    }

    /** Converts columns. */
    @Singleton
    static final class Column implements AttributeConverter<FileMetadata, String> {
        @Override
        public @Nullable String convertToPersistedValue(@Nullable FileMetadata metadata, ConversionContext context) {
            return metadata == null ? null : metadata.json();
        }

        @Override
        public @Nullable FileMetadata convertToEntityValue(@Nullable String json, ConversionContext context) {
            if (json == null) {
                return null;
            }
            try {
                return json.equals("{}") ? NONE : new FileMetadata(new TreeMap<>(JSON.readValue(json, ANY)));
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Object value(String key, @Nullable Object value) {
        return switch (value) {
            case String text when isText(text) -> text;
            case Boolean flag -> flag;
            case Integer number -> number;
            case Long number -> number;
            case Number number when Math.abs(number.doubleValue()) < 1e15 -> number.doubleValue();
            case null, default ->
                throw invalid("has texts, numbers up to 15 digits and booleans; that of '%s' is something else"
                        .formatted(key));
        };
    }

    /** Whether a text can be stored: no NUL and no unpaired surrogates. */
    private static boolean isText(String text) {
        return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static WorkspaceException invalid(String problem) {
        return new WorkspaceException(Kind.INVALID, "metadata " + problem);
    }

    /** The metadata as ASCII JSON. */
    public String json() {
        try {
            return ASCII.writeValueAsString(values);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a name has this value, in its text form. */
    boolean has(String key, String value) {
        return value.equals(String.valueOf(values.get(key)));
    }

    /** Whether the metadata is empty. */
    boolean isEmpty() {
        return values.isEmpty();
    }
}

package dev.parley.domain;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.domain.json.JsonBounds;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Writes JSON to strings. */
public final class JsonWriter {
    private static final JsonFactory FACTORY = JsonBounds.STORED.factory();

    private JsonWriter() {}

    /** Writes one JSON value. */
    @FunctionalInterface
    public interface Value {
        void writeTo(JsonGenerator json) throws IOException;
    }

    /** The text of a value. */
    public static String text(Value value) {
        var text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            value.writeTo(json);
        } catch (IOException e) {
            throw new UncheckedIOException("a string takes everything", e);
        }
        return text.toString();
    }
}

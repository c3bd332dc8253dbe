package dev.parley.agents.model.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.domain.json.JsonBounds;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A JSON writer that can embed verbatim JSON. Members whose value is null are omitted. */
public final class JsonOut {
    private static final JsonFactory FACTORY = JsonBounds.STORED.factory();

    private final JsonGenerator out;

    private JsonOut(JsonGenerator out) {
        this.out = out;
    }

    /** The text of an object with these members. */
    public static String object(Consumer<JsonOut> members) {
        var text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            new JsonOut(generator).addObject(members);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private JsonOut step(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    @FunctionalInterface
    private interface Writer<T> {
        void write(T value) throws IOException;
    }

    private <T> JsonOut member(String name, @Nullable T value, Writer<T> writer) {
        return value == null
                ? this
                : step(() -> {
                    out.writeFieldName(name);
                    writer.write(value);
                });
    }

    public JsonOut put(String name, @Nullable String value) {
        return member(name, value, out::writeString);
    }

    public JsonOut put(String name, @Nullable Integer value) {
        return member(name, value, out::writeNumber);
    }

    public JsonOut put(String name, @Nullable Long value) {
        return member(name, value, out::writeNumber);
    }

    public JsonOut put(String name, @Nullable Double value) {
        return member(name, value, out::writeNumber);
    }

    public JsonOut put(String name, @Nullable Boolean value) {
        return member(name, value, out::writeBoolean);
    }

    /** A member whose value is this JSON, unchecked. */
    public JsonOut putRaw(String name, @Nullable String json) {
        return member(name, json, out::writeRawValue);
    }

    public JsonOut putObject(String name, Consumer<JsonOut> members) {
        return member(name, members, this::addObject);
    }

    public JsonOut putArray(String name, Consumer<JsonOut> items) {
        return member(name, items, writer -> {
            out.writeStartArray();
            writer.accept(this);
            out.writeEndArray();
        });
    }

    public JsonOut addObject(Consumer<JsonOut> members) {
        return step(() -> {
            out.writeStartObject();
            members.accept(this);
            out.writeEndObject();
        });
    }

    /** An item that is this JSON, unchecked. */
    public JsonOut addRaw(String json) {
        return step(() -> out.writeRawValue(json));
    }

    public JsonOut add(String value) {
        return step(() -> out.writeString(value));
    }
}

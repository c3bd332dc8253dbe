package dev.parley.control.definitions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.document.Document;
import dev.parley.platform.json.JsonMappers;
import java.io.UncheckedIOException;

/** Documents in columns of JSON. */
final class StoredDocuments {
    private static final ObjectMapper JSON = JsonMappers.stored();

    private StoredDocuments() {}

    /** @throws dev.parley.platform.document.InvalidDocumentException if the column has an invalid document */
    static <T extends Record> T read(Class<T> type, String json) {
        try {
            return Document.of(type).read(JSON.readValue(json, Object.class));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("unchecked")
    static <T extends Record> String write(T value) {
        try {
            return JSON.writeValueAsString(
                    Document.of((Class<T>) value.getClass()).write(value));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}

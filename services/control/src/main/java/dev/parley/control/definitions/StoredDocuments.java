package dev.parley.control.definitions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.document.Document;
import dev.parley.platform.json.JsonMappers;
import java.io.UncheckedIOException;

/** Writes documents for columns of JSON. */
final class StoredDocuments {
    private static final ObjectMapper JSON = JsonMappers.stored();

    private StoredDocuments() {}

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

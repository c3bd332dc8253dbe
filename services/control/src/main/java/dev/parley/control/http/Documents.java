package dev.parley.control.http;

import dev.parley.platform.document.Document;
import dev.parley.platform.document.InvalidDocumentException;
import io.micronaut.json.tree.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the documents of requests. */
public final class Documents {
    private static final String NAME = "name";

    private Documents() {}

    /**
     * The record of a document.
     *
     * @param name the name in the path, which the document may repeat, or null where only the document has it
     * @throws dev.parley.platform.http.ApiException 400 naming the invalid fields
     */
    public static <T extends Record> T read(Class<T> type, @Nullable String name, JsonNode document) {
        Object plain = document.getValue();
        try {
            return Document.of(type).read(name == null ? plain : named(name, plain));
        } catch (InvalidDocumentException e) {
            throw Checks.invalid(e.faults());
        }
    }

    private static @Nullable Object named(String name, @Nullable Object document) {
        if (!(document instanceof Map<?, ?> fields)) {
            return document;
        }
        Object other = fields.get(NAME);
        if (other != null && !name.equals(other)) {
            throw Checks.invalid(NAME, "cannot be changed: it is '" + name + "'");
        }
        var named = new LinkedHashMap<Object, @Nullable Object>(fields);
        named.put(NAME, name);
        return named;
    }
}

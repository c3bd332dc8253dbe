package dev.parley.control.http;

import dev.parley.platform.document.Document;
import dev.parley.platform.document.InvalidDocumentException;
import io.micronaut.json.tree.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the documents of requests. */
public final class Documents {
    private static final String NAME = "name";

    /** Fields of tools, skills and endpoints that requests may repeat, and the server sets. */
    private static final Set<String> OF_SERVER = Set.of("source", "updatedAt", "schema");

    private Documents() {}

    /**
     * The record of a document.
     *
     * @param name the name in the path, which the document may repeat, or null where only the document has it
     * @throws dev.parley.platform.http.ApiException 400 naming the invalid fields
     */
    public static <T extends Record> T read(Class<T> type, @Nullable String name, JsonNode document) {
        return read(type, name, document.getValue());
    }

    private static <T extends Record> T read(Class<T> type, @Nullable String name, @Nullable Object plain) {
        try {
            return Document.of(type).read(name == null ? plain : named(name, plain));
        } catch (InvalidDocumentException e) {
            throw Checks.invalid(e.faults());
        }
    }

    /**
     * The record of a tool, a skill or an endpoint, whose document may have fields that the server sets.
     *
     * @param name the name in the path, or null where only the document has it
     * @throws dev.parley.platform.http.ApiException 400 naming the invalid fields
     */
    public static <T extends Record> T readEntry(Class<T> type, @Nullable String name, JsonNode document) {
        if (!(document.getValue() instanceof Map<?, ?> members)) {
            return read(type, name, document);
        }
        var fields = new LinkedHashMap<Object, @Nullable Object>(members);
        fields.keySet().removeAll(OF_SERVER);
        return read(type, name, fields);
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

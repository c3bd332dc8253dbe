package dev.parley.schemas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;

/** One set of {@code .avsc} files, a type each: reads a type together with those that it uses. */
final class SchemaFiles {
    private static final String NAMESPACE = "dev.parley.avro";
    private static final Set<String> PRIMITIVES =
            Set.of("null", "boolean", "int", "long", "float", "double", "bytes", "string");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String folder;
    private final Schema.Parser parser = new Schema.Parser();
    private final Map<String, Schema> loaded = new HashMap<>();

    /** @param folder of resources, with a slash at its end */
    SchemaFiles(String folder) {
        this.folder = folder;
    }

    /** The type with this name, which is relative to the namespace of all: {@code Text} or {@code state.Session}. */
    Schema load(String name) {
        return byFullName(NAMESPACE + "." + name);
    }

    private Schema byFullName(String name) {
        Schema known = loaded.get(name);
        if (known != null) {
            return known;
        }
        JsonNode json = read(name);
        loadReferences(json, json.path("namespace").asText(NAMESPACE));
        Schema schema = parser.parse(json.toString());
        loaded.put(name, schema);
        return schema;
    }

    private JsonNode read(String name) {
        String file = folder + name.substring(NAMESPACE.length() + 1).replace('.', '/') + ".avsc";
        try (InputStream in = SchemaFiles.class.getClassLoader().getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the schema " + name + " is missing: there is no resource " + file);
            }
            return JSON.readTree(in);
        } catch (IOException e) {
            throw new IllegalStateException("the schema " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private void loadReferences(JsonNode type, String namespace) {
        if (type.isTextual()) {
            reference(type.asText(), namespace);
        } else if (type.isArray()) {
            type.forEach(branch -> loadReferences(branch, namespace));
        } else {
            switch (type.path("type").asText()) {
                case "record" -> type.path("fields").forEach(field -> loadReferences(field.path("type"), namespace));
                case "array" -> loadReferences(type.path("items"), namespace);
                case "map" -> loadReferences(type.path("values"), namespace);
                case "enum", "fixed" -> {}
                default -> loadReferences(type.path("type"), namespace);
            }
        }
    }

    private void reference(String name, String namespace) {
        if (!PRIMITIVES.contains(name)) {
            byFullName(name.contains(".") ? name : namespace + "." + name);
        }
    }
}

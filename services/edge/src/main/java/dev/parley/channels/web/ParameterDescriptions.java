package dev.parley.channels.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micronaut.http.HttpHeaders;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

/** Completes the parameters of an OpenAPI document where they mean the same in all routes, such as {@code limit}. */
final class ParameterDescriptions {
    private static final String NEEDS_VERSION = "Requires If-Match";
    private static final String FILE = "parameters.properties";

    private final Properties texts = new Properties();

    ParameterDescriptions() throws IOException {
        try (var file = new InputStreamReader(
                Objects.requireNonNull(getClass().getResourceAsStream(FILE), FILE), StandardCharsets.UTF_8)) {
            texts.load(file);
        }
    }

    /** Adds descriptions to the parameters without one, and says where {@code If-Match} is required. */
    void addTo(ObjectNode document) {
        document.path("paths")
                .properties()
                .forEach(route -> route.getValue().forEach(operation -> {
                    operation.path("parameters").forEach(parameter -> {
                        describe((ObjectNode) parameter, route.getKey());
                        removeNullFromPath(parameter);
                    });
                    if (operation.path("description").asText().contains(NEEDS_VERSION)) {
                        requireVersion((ObjectNode) operation);
                    }
                }));
    }

    /** A project is null in the method where another path has none, but never where it is a part of the path. */
    private static void removeNullFromPath(JsonNode parameter) {
        if (parameter.path("in").asText().equals("path") && parameter.path("schema") instanceof ObjectNode schema) {
            schema.remove("nullable");
        }
    }

    /** The server answers 428 itself, so the parameter of the method is nullable. */
    private static void requireVersion(ObjectNode operation) {
        for (JsonNode parameter : operation.path("parameters")) {
            if (parameter.path("name").asText().equals(HttpHeaders.IF_MATCH)) {
                ((ObjectNode) parameter).put("required", true);
            }
        }
        ObjectNode responses = operation.withObjectProperty("responses");
        addResponse(responses, "412", "It has changed since it was read; ETag has its version.");
        addResponse(responses, "428", "If-Match is missing; ETag has the version to change.");
    }

    private static void addResponse(ObjectNode responses, String status, String description) {
        if (!responses.has(status)) {
            responses.putObject(status).put("description", description);
        }
    }

    private void describe(ObjectNode parameter, String path) {
        String name = parameter.path("name").asText();
        String key = parameter.path("in").asText() + "." + name;
        String segment = segmentBefore(path, name);
        String text = texts.getProperty(key + "." + segment, texts.getProperty(key));
        if (text != null && !parameter.has("description")) {
            parameter.put("description", text.replace("{item}", singular(segment)));
        }
    }

    private static String segmentBefore(String path, String name) {
        List<String> segments = List.of(path.split("/"));
        int position = segments.indexOf("{" + name + "}");
        return position > 0 ? segments.get(position - 1) : "";
    }

    /** The singular of a plural segment: {@code processes} is a process, {@code dead-letters} is a dead letter. */
    private static String singular(String segment) {
        return segment.replace('-', ' ').replaceFirst("(?<=ss)es$|s$", "");
    }
}

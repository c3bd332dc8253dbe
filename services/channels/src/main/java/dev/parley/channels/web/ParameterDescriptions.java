package dev.parley.channels.web;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

/** Describes the parameters of an OpenAPI document that mean the same in all routes, such as {@code limit}. */
final class ParameterDescriptions {
    private static final String FILE = "parameters.properties";

    private final Properties texts = new Properties();

    ParameterDescriptions() throws IOException {
        try (var file = new InputStreamReader(
                Objects.requireNonNull(getClass().getResourceAsStream(FILE), FILE), StandardCharsets.UTF_8)) {
            texts.load(file);
        }
    }

    /** Adds descriptions to the parameters without one. */
    void addTo(ObjectNode document) {
        document.path("paths")
                .properties()
                .forEach(route -> route.getValue()
                        .forEach(operation -> operation
                                .path("parameters")
                                .forEach(parameter -> describe((ObjectNode) parameter, route.getKey()))));
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

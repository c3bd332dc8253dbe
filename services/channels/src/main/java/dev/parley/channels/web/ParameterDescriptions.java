package dev.parley.channels.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
                        .findValues("parameters")
                        .forEach(parameters -> parameters.forEach(parameter -> {
                            if (parameter instanceof ObjectNode node && !node.has("description")) {
                                String text = text(route.getKey(), node);
                                if (text != null) {
                                    node.put("description", text);
                                }
                            }
                        })));
    }

    private @Nullable String text(String path, JsonNode parameter) {
        String name = parameter.path("name").asText();
        String key = parameter.path("in").asText() + "." + name;
        String segment = segmentBefore(path, name);
        return Stream.of(key + "." + segment, key)
                .map(texts::getProperty)
                .filter(Objects::nonNull)
                .findFirst()
                .map(text -> text.replace("{item}", singular(segment)))
                .orElse(null);
    }

    private static String segmentBefore(String path, String name) {
        var matcher =
                Pattern.compile("([^/{}]+)/\\{" + Pattern.quote(name) + "}").matcher(path);
        return matcher.find() ? matcher.group(1) : "resource";
    }

    private static String singular(String segment) {
        String words = segment.replace('-', ' ');
        return words.endsWith("sses")
                ? words.substring(0, words.length() - 2)
                : words.endsWith("ies")
                        ? words.substring(0, words.length() - 3) + "y"
                        : words.endsWith("s") ? words.substring(0, words.length() - 1) : words;
    }
}

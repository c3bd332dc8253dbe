package dev.parley.control.definitions;

import dev.parley.control.http.JsonColumns;
import dev.parley.domain.definition.Endpoint;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.document.Fault;
import dev.parley.platform.schema.JsonSchema;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Rules for tools that are about several fields, or about the content of one. */
public final class ToolRules {
    private static final int MAX_SCHEMA = 65_536;
    private static final String IMPLEMENTATION = "implementation";

    /** Required fields of an implementation, by type; alternatives are separated by a bar. */
    private static final Map<String, List<String>> FIELDS = Map.of(
            "rest", List.of("url|endpoint"),
            "mcp_server", List.of("server", "tool"),
            "javascript", List.of("script"),
            "python", List.of("script"),
            "wasm", List.of("module|sha256"),
            "java", List.of("class"));

    private static final Map<String, String> ALIASES =
            Map.of("http", "rest", "mcp", "mcp_server", "code", "javascript");

    private ToolRules() {}

    /** The type that a name of a type means. */
    static String type(String name) {
        return ALIASES.getOrDefault(name, name);
    }

    /** What is invalid in a tool, wherever it is defined. */
    static List<Fault> faults(ToolJson tool) {
        var faults = new ArrayList<Fault>();
        if (ToolSpec.OWN.contains(tool.name()) || ToolSpec.OF_MACHINE.contains(tool.name())) {
            faults.add(new Fault("name", "is reserved by Parley"));
        }
        if (tool.parameters() != null && tool.parametersSchema() != null) {
            faults.add(new Fault("parametersSchema", "cannot be combined with parameters: send one of them"));
        }
        if (FIELDS.containsKey(tool.type())) {
            faults.addAll(ofImplementation(tool.type(), tool.implementation()));
        } else {
            faults.add(new Fault("type", "must be one of " + String.join(", ", new TreeSet<>(FIELDS.keySet()))));
        }
        schema(tool.parametersSchema() == null ? "parameters" : "parametersSchema", Parameters.schema(tool))
                .ifPresent(faults::add);
        if (tool.responseSchema() != null) {
            schema("responseSchema", tool.responseSchema()).ifPresent(faults::add);
        }
        return faults;
    }

    private static List<Fault> ofImplementation(String type, @Nullable Map<String, Object> fields) {
        List<String> required = FIELDS.getOrDefault(type, List.of());
        String missing = "is missing; a tool of type %s needs %s"
                .formatted(type, String.join(" and ", required).replace("|", " or "));
        if (fields == null) {
            return List.of(new Fault(IMPLEMENTATION, missing));
        }
        var faults = new ArrayList<Fault>();
        required.stream()
                .filter(field -> Arrays.stream(field.split("\\|")).allMatch(name -> fields.get(name) == null))
                .map(field -> new Fault(field.replaceFirst("\\|.*", ""), missing).at(IMPLEMENTATION))
                .forEach(faults::add);
        if (type.equals("rest") && fields.get("endpoint") != null) {
            faults.addAll(ofEndpoint(fields));
        }
        return faults;
    }

    /** How a tool may use an endpoint. */
    private static List<Fault> ofEndpoint(Map<String, Object> implementation) {
        var faults = new ArrayList<Fault>();
        for (String field : List.of("url", "auth", "headers")) {
            if (implementation.get(field) != null) {
                faults.add(new Fault(field, "is set by the endpoint; a tool with an endpoint sets only path"));
            }
        }
        if (!(implementation.get("endpoint") instanceof String name) || !name.matches(EndpointJson.NAME)) {
            faults.add(new Fault("endpoint", "must be the name of an endpoint of the host"));
        }
        if (!(implementation.get("path") instanceof String path) || !Endpoint.isPath(path)) {
            faults.add(new Fault(
                    "path", "must be a path below the endpoint, such as /users/{id}, without '%', ';', '.' and '..'"));
        }
        return faults.stream().map(fault -> fault.at(IMPLEMENTATION)).toList();
    }

    private static Optional<Fault> schema(String field, Map<String, Object> schema) {
        try {
            String text = JsonColumns.text(JsonNode.from(schema));
            if (text.length() > MAX_SCHEMA) {
                return Optional.of(new Fault(field, "must have at most " + MAX_SCHEMA + " characters"));
            }
            if (field.equals("responseSchema")) {
                JsonSchema.of(text);
            } else {
                JsonSchema.ofArguments(text);
            }
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(new Fault(field, "is not a valid JSON Schema: " + e.getMessage()));
        }
    }

    /** What only tools of a host may have. */
    public static List<Fault> ofHost(ToolJson tool) {
        var faults = new ArrayList<Fault>();
        if (tool.type().equals("java")) {
            faults.add(new Fault("type", "is java, which only tools of the host may use"));
        }
        Map<String, Object> fields = tool.implementation() == null ? Map.of() : tool.implementation();
        if (hasSecret(fields) || hasSecret(fields.get("server"))) {
            faults.add(new Fault(
                    IMPLEMENTATION, "names a secret of the installation, which only tools of the host may use"));
        }
        if (tool.type().equals("wasm") && fields.get("sha256") != null) {
            faults.add(new Fault("sha256", "is only for tools of the host: send the module itself").at(IMPLEMENTATION));
        }
        if (fields.get("server") instanceof Map<?, ?> server && server.containsKey("command")) {
            faults.add(new Fault("server", "starts a program on the server, which only tools of the host may do")
                    .at(IMPLEMENTATION));
        }
        return faults;
    }

    private static boolean hasSecret(@Nullable Object fields) {
        return fields instanceof Map<?, ?> map
                && map.get("auth") instanceof Map<?, ?> auth
                && auth.get("secret") != null;
    }
}

package dev.parley.channels.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import dev.parley.platform.document.DocumentSchemas;
import dev.parley.platform.http.Public;
import dev.parley.platform.json.JsonMappers;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.swagger.v3.oas.annotations.Hidden;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The OpenAPI document, merged from the documents of the modules. */
@Hidden
@Controller
class OpenApiController {
    private static final List<String> MODULES = List.of(
            "platform",
            "edge",
            "bots",
            "protocols",
            "hooks",
            "sessions",
            "agents",
            "control",
            "tools",
            "memory",
            "workflows");

    private final String yaml;
    private final String json;

    OpenApiController() throws IOException {
        var plain = JsonMappers.stored();
        var yamlMapper =
                new ObjectMapper(JsonMappers.yamlFactory().disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER));
        ObjectNode document = plain.createObjectNode();
        document.put("openapi", "3.0.1");
        document.putObject("info")
                .put("title", "Parley")
                .put("version", "1")
                .put(
                        "description",
                        "A streaming backend for chat agents. Errors are problem details (RFC 9457) with a code.");
        for (String module : MODULES) {
            add(module, yamlMapper, document);
        }
        JavadocTexts.format(document);
        HostOperations.name(document);
        DocumentSchemas.addTo(document);
        new ParameterDescriptions().addTo(document);
        document.withObject("/components/securitySchemes/key")
                .put("type", "http")
                .put("scheme", "bearer");
        document.putArray("security").addObject().putArray("key");
        yaml = yamlMapper.writeValueAsString(document);
        json = plain.writeValueAsString(document);
    }

    private static void add(String module, ObjectMapper yamlMapper, ObjectNode document) throws IOException {
        try (InputStream part =
                OpenApiController.class.getResourceAsStream("/META-INF/swagger/parley-" + module + ".yml")) {
            if (part != null && yamlMapper.readTree(part) instanceof ObjectNode found) {
                found.remove(List.of("openapi", "info"));
                PageSchemas.name(found);
                merge(document, found);
            }
        }
    }

    private static void merge(ObjectNode into, ObjectNode from) {
        from.properties().forEach(field -> {
            if (field.getValue() instanceof ObjectNode object
                    && into.get(field.getKey()) instanceof ObjectNode existing) {
                merge(existing, object);
            } else if (field.getValue() instanceof ArrayNode array
                    && into.get(field.getKey()) instanceof ArrayNode existing) {
                existing.addAll(array);
            } else {
                into.set(field.getKey(), field.getValue());
            }
        });
    }

    @Public
    @Get("/openapi")
    @Produces("application/yaml")
    String yaml() {
        return yaml;
    }

    @Public
    @Get("/openapi.json")
    @Produces("application/json")
    String json() {
        return json;
    }
}

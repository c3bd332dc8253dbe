package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.definition.CallerTools;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.schema.OlderDrafts;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tool of the caller; its calls wait until the caller submits their results.
 *
 * @param name Name of the tool: 1 to 64 letters, digits, _ and -; different from the agent's own tools.
 * @param description Description of the tool, for the model.
 * @param parameters JSON Schema of the arguments, which are an object. Defaults to no arguments.
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "CallerTool")
public record CallerToolJson(
        @Nullable String name,
        @Nullable String description,
        @Nullable Map<String, Object> parameters) {
    private static final ObjectMapper JSON = JsonMappers.request();
    private static final Map<String, Object> NOTHING = Map.of("type", "object", "properties", Map.of());

    /**
     * The tools as specifications.
     *
     * @throws ApiException 400
     */
    public static List<ToolSpec> specs(@Nullable List<CallerToolJson> tools) {
        if (tools == null) {
            return List.of();
        }
        if (tools.stream().anyMatch(Objects::isNull)) {
            throw invalid("a tool is an object");
        }
        List<ToolSpec> specs = tools.stream().map(CallerToolJson::spec).toList();
        try {
            CallerTools.check(specs);
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()));
        }
        return specs;
    }

    private ToolSpec spec() {
        Map<String, Object> schema = parameters == null || parameters.isEmpty() ? NOTHING : parameters;
        if (!"object".equals(schema.getOrDefault("type", "object"))) {
            throw invalid("the parameters of a tool are those of an object");
        }
        try {
            return ToolSpec.ofCaller(
                    Objects.requireNonNullElse(name, ""),
                    Objects.requireNonNullElse(description, ""),
                    OlderDrafts.current(JSON.writeValueAsString(schema)));
        } catch (JsonProcessingException e) {
            throw invalid("the parameters of a tool are a JSON Schema");
        }
    }

    private static ApiException invalid(String problem) {
        return ApiException.badRequest("invalid_tools", "In 'tools': " + problem);
    }
}

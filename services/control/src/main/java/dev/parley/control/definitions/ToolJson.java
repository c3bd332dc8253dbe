package dev.parley.control.definitions;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.definition.DefinedTool;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.About;
import dev.parley.domain.permission.Subject;
import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.schema.OlderDrafts;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tool defined by a host or a project. Omitted fields have their defaults.
 *
 * @param version Version, such as 1.0.0. Defaults to 1.0.0. Versions coexist; agents use the newest.
 * @param description Description of the tool for the model.
 * @param type Type: rest, mcp_server, javascript, python, wasm or java; also http, mcp and code.
 * @param enabled False to hide the tool from all models and refuse calls in progress.
 * @param effect Handling of calls after a crash: idempotent, reconcilable or at_most_once. Defaults to at_most_once.
 * @param access Kind of access to the outside world: read, write or execute. Defaults to execute.
 * @param timeout Timeout of a call, such as 30s; at most 10m. Defaults to 30s.
 * @param parameters Parameters of the tool, in order.
 * @param parametersSchema JSON Schema of the arguments, instead of parameters.
 * @param responseSchema JSON Schema that results must match.
 * @param implementation Implementation of the tool; its fields depend on the type.
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Tool")
@RecordBuilder
public record ToolJson(
        @Nullable String name,
        @Nullable String version,
        @Nullable String description,
        @Nullable String type,
        @Nullable Boolean enabled,
        @Nullable String effect,
        @Nullable String access,
        @Nullable String timeout,

        @Schema(description = "Argument that permission rules check.") @Nullable
        AboutJson about,

        @Nullable List<ParameterJson> parameters,
        @Nullable Map<String, Object> parametersSchema,
        @Nullable Map<String, Object> responseSchema,
        @Nullable Map<String, Object> implementation,

        @Schema(description = "JSON Schema that models see.", accessMode = Schema.AccessMode.READ_ONLY) @Nullable
        Map<String, Object> schema,

        @Schema(description = "Definition level: project or host.", accessMode = Schema.AccessMode.READ_ONLY) @Nullable
        String source,

        @Schema(accessMode = Schema.AccessMode.READ_ONLY) @Nullable
        Instant updatedAt)
        implements DefinitionEntry, ToolJsonBuilder.With {

    /**
     * Argument that holds the subject of a call.
     *
     * @param kind Kind of the subject: path, url or command.
     * @param argument Name of the argument.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "ToolAbout", description = "Argument that holds the subject of a call.")
    public record AboutJson(@Nullable String kind, @Nullable String argument) {}

    /**
     * A parameter of a tool.
     *
     * @param type Type: string, number, integer, boolean, object or array.
     * @param validation Additional JSON Schema keywords, such as {"minimum": 1} or {"pattern": "^a"}.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "ToolParameter")
    public record ParameterJson(
            @Nullable String name,
            @Nullable String type,
            @Nullable Boolean required,

            @Schema(description = "Value used if a call omits the parameter.", type = "object") @Nullable
            Object defaultValue,

            @Nullable String description,
            @Nullable Map<String, Object> validation) {}

    @Override
    public ToolJson withServerFields(@Nullable String source, @Nullable Instant updatedAt) {
        return with().schema(source == null ? null : Parameters.schema(this))
                .source(source)
                .updatedAt(updatedAt)
                .build();
    }

    /** A copy without the implementation, which may hold confidential headers and arguments. */
    @Override
    public ToolJson redacted() {
        return withImplementation(null);
    }

    @Override
    public String searchText() {
        return name + ": " + description;
    }

    /** Name of its endpoint, or null. */
    public @Nullable String endpoint() {
        if (implementation == null || !"rest".equals(type)) {
            return null;
        }
        return implementation.get("endpoint") instanceof String endpointName ? endpointName : null;
    }

    /** The published definition of a validated tool. */
    DefinedTool toDefinition() {
        return new DefinedTool(
                new ToolSpec(
                        Objects.requireNonNull(name),
                        Objects.requireNonNull(description),
                        OlderDrafts.current(json(Parameters.schema(this))),
                        ToolEffect.valueOf(upper(effect)),
                        ConfigReader.duration("timeout", Objects.requireNonNull(timeout)),
                        about == null
                                ? null
                                : new About(
                                        Subject.Kind.valueOf(upper(about.kind())),
                                        Objects.requireNonNull(about.argument())),
                        Objects.requireNonNull(version),
                        ToolAccess.valueOf(upper(access))),
                Objects.requireNonNull(type),
                json(Objects.requireNonNull(implementation)),
                responseSchema == null ? null : json(responseSchema),
                endpoint());
    }

    private static String upper(@Nullable String code) {
        return Objects.requireNonNull(code).toUpperCase(Locale.ROOT);
    }

    private static String json(Map<String, Object> object) {
        return JsonColumns.text(JsonNode.from(object));
    }
}

package dev.parley.control.definitions;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.definition.DefinedTool;
import dev.parley.domain.definition.Definition;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.document.Checked;
import dev.parley.domain.document.Fault;
import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;
import dev.parley.domain.document.NotInDocuments;
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
import java.util.Set;
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
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Tool")
@RecordBuilder
public record ToolJson(
        @Field(
                required = true,
                pattern = "[A-Za-z0-9_-]{1,64}", // the form that model providers accept
                problem = "must be 1 to 64 letters, digits, '_' or '-'")
        String name,

        @Field(
                fallback = Definition.FIRST_VERSION,
                length = 32,
                pattern = Definition.VERSION,
                problem = Definition.NO_VERSION)
        String version,

        @Field(required = true, length = 1_024) String description,
        @Field(required = true, length = 32) String type,
        @Field(fallback = "true") boolean enabled,

        @Field(fallback = "at_most_once", codes = ToolEffect.class)
        String effect,

        @Field(fallback = "execute", codes = ToolAccess.class)
        String access,

        @Field(
                fallback = "30s",
                form = Form.DURATION,
                max = 600,
                problem = "must be a duration such as 500ms or 30s, at most 10m")
        String timeout,

        @Schema(description = "Argument that permission rules check.") @Field @Nullable
        AboutJson about,

        @Field(entries = 100, key = "name") @Nullable List<ParameterJson> parameters,
        @Field(length = 65_536) @Nullable Map<String, Object> parametersSchema,
        @Field(length = 65_536) @Nullable Map<String, Object> responseSchema,
        @Field(length = 262_144) @Nullable Map<String, Object> implementation,

        @Schema(description = "JSON Schema that models see.", accessMode = Schema.AccessMode.READ_ONLY)
        @NotInDocuments
        @Nullable
        Map<String, Object> schema,

        @Schema(description = "Definition level: project or host.", accessMode = Schema.AccessMode.READ_ONLY)
        @NotInDocuments
        @Nullable
        String source,

        @Schema(accessMode = Schema.AccessMode.READ_ONLY) @NotInDocuments @Nullable
        Instant updatedAt)
        implements DefinitionEntry, Checked, ToolJsonBuilder.With {
    public ToolJson {
        type = ToolRules.type(type);
    }

    /**
     * Argument that holds the subject of a call.
     *
     * @param kind Kind of the subject: path, url or command.
     * @param argument Name of the argument.
     */
    @Serdeable
    @Schema(name = "ToolAbout", description = "Argument that holds the subject of a call.")
    public record AboutJson(
            @Field(required = true, codes = Subject.Kind.class)
            String kind,

            @Field(required = true, form = Form.LINE, length = 126)
            String argument) {}

    /**
     * A parameter of a tool.
     *
     * @param type Type: string, number, integer, boolean, object or array.
     * @param validation Additional JSON Schema keywords, such as {"minimum": 1} or {"pattern": "^a"}.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "ToolParameter")
    public record ParameterJson(
            @Field(required = true, form = Form.LINE, length = 64)
            String name,

            @Field(
                    required = true,
                    pattern = "string|number|integer|boolean|object|array",
                    problem = "must be one of string, number, integer, boolean, object, array")
            String type,

            @Field boolean required,

            @Schema(description = "Value used if a call omits the parameter.", type = "object") @Field @Nullable
            Object defaultValue,

            @Field(length = 1_024) @Nullable String description,
            @Field @Nullable Map<String, Object> validation) {}

    @Override
    public List<Fault> faults(Set<String> given) {
        return ToolRules.faults(this);
    }

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
                        name,
                        description,
                        OlderDrafts.current(json(Parameters.schema(this))),
                        ToolEffect.valueOf(upper(effect)),
                        ConfigReader.duration("timeout", timeout),
                        about == null ? null : new About(Subject.Kind.valueOf(upper(about.kind())), about.argument()),
                        version,
                        ToolAccess.valueOf(upper(access))),
                type,
                json(Objects.requireNonNull(implementation)),
                responseSchema == null ? null : json(responseSchema),
                endpoint());
    }

    private static String upper(String code) {
        return code.toUpperCase(Locale.ROOT);
    }

    private static String json(Map<String, Object> object) {
        return JsonColumns.text(JsonNode.from(object));
    }
}

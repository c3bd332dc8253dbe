package dev.parley.control.catalogue;

import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.Parameters;
import dev.parley.control.definitions.SkillJson;
import dev.parley.control.definitions.ToolJson;
import dev.parley.control.definitions.ToolJsonBuilder;
import dev.parley.control.http.Checks;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.Subject;
import dev.parley.platform.definitions.DefinitionVersions;
import dev.parley.platform.schema.JsonSchema;
import io.micronaut.json.tree.JsonNode;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validates tools and skills and fills in defaults; each error names its field. */
final class CatalogueReader {
    private static final Pattern TOOL = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern SKILL = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
    private static final Pattern FOLDER = Pattern.compile("[^/\\p{Cntrl}]{1,60}(/[^/\\p{Cntrl}]{1,60}){0,4}");
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);
    private static final int MAX_TEXT = 65_536;
    private static final int MAX_JSON = 262_144;
    private static final int MAX_SCHEMA = 65_536;

    /** Maximum characters of the arguments that a skill fixes. */
    private static final int MAX_ARGUMENTS = 4_096;

    private static final int MAX_ENTRIES = 100;

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

    private static final List<String> TYPES = List.of("string", "number", "integer", "boolean", "object", "array");

    private CatalogueReader() {}

    /**
     * The validated tool.
     *
     * @param name the name in the path, or null where the body has it
     */
    static ToolJson tool(DefinitionScope scope, @Nullable String name, ToolJson body) {
        String type = type(scope, body);
        return withValidSchemas(ToolJsonBuilder.builder()
                .name(toolName(name, body.name()))
                .version(version(body.version()))
                .description(Checks.requireText("description", body.description(), 1_024))
                .type(type)
                .enabled(!Boolean.FALSE.equals(body.enabled()))
                .effect(choice("effect", ToolEffect.class, body.effect(), ToolEffect.AT_MOST_ONCE))
                .access(choice("access", ToolAccess.class, body.access(), ToolAccess.EXECUTE))
                .timeout(timeout(body.timeout()))
                .about(about(body.about()))
                .parameters(parameters(body))
                .parametersSchema(body.parametersSchema())
                .responseSchema(body.responseSchema())
                .implementation(implementation(scope, type, body.implementation()))
                .build());
    }

    private static String toolName(@Nullable String inPath, @Nullable String inBody) {
        String name = Checks.name(inPath, inBody);
        if (!TOOL.matcher(name).matches()) { // the form that model providers accept
            throw Checks.invalid("name", "must be 1 to 64 letters, digits, '_' or '-'");
        }
        if (ToolSpec.OWN.contains(name) || ToolSpec.OF_MACHINE.contains(name)) {
            throw Checks.invalid("name", "is reserved by Parley");
        }
        return name;
    }

    private static String version(@Nullable String version) {
        String valid = version == null ? "1.0.0" : version;
        if (valid.length() > 32 || !DefinitionVersions.isVersion(valid)) {
            throw Checks.invalid(
                    "version", "must be a version such as 1.0.0 or 2.0.0-beta.1, with at most 32 characters");
        }
        return valid;
    }

    private static String type(DefinitionScope scope, ToolJson body) {
        String requested = Checks.requireText("type", body.type(), 32);
        String type = ALIASES.getOrDefault(requested, requested);
        if (!FIELDS.containsKey(type)) {
            throw Checks.invalid(
                    "type",
                    "must be one of "
                            + String.join(
                                    ", ", FIELDS.keySet().stream().sorted().toList()));
        }
        if (scope.project() != null && type.equals("java")) {
            throw Checks.invalid("type", "is java, which only tools of the host may use");
        }
        return type;
    }

    private static Map<String, Object> implementation(
            DefinitionScope scope, String type, @Nullable Map<String, Object> fields) {
        if (fields == null) {
            throw Checks.invalid(
                    "implementation", "is missing; a tool of type " + type + " needs " + requiredFields(type));
        }
        FIELDS.getOrDefault(type, List.of()).forEach(field -> {
            if (Arrays.stream(field.split("\\|")).allMatch(alternative -> fields.get(alternative) == null)) {
                throw Checks.invalid(
                        "implementation." + field.replaceFirst("\\|.*", ""),
                        "is missing; a tool of type " + type + " needs " + requiredFields(type));
            }
        });
        toBoundedText("implementation", fields, MAX_JSON);
        if (type.equals("rest") && fields.get("endpoint") != null) {
            EndpointReader.use(fields);
        }
        if (scope.project() != null) {
            requireNoHostFeature(type, fields);
        }
        return fields;
    }

    private static void requireNoHostFeature(String type, Map<String, Object> fields) {
        if (hasSecret(fields) || hasSecret(fields.get("server"))) {
            throw Checks.invalid(
                    "implementation", "names a secret of the installation, which only tools of the host may use");
        }
        if (type.equals("wasm") && fields.get("sha256") != null) {
            throw Checks.invalid("implementation.sha256", "is only for tools of the host: send the module itself");
        }
        if (fields.get("server") instanceof Map<?, ?> server && server.containsKey("command")) {
            throw Checks.invalid(
                    "implementation.server", "starts a program on the server, which only tools of the host may do");
        }
    }

    private static boolean hasSecret(@Nullable Object fields) {
        return fields instanceof Map<?, ?> map
                && map.get("auth") instanceof Map<?, ?> auth
                && auth.get("secret") != null;
    }

    private static String requiredFields(String type) {
        return String.join(" and ", FIELDS.getOrDefault(type, List.of())).replace("|", " or ");
    }

    /**
     * JSON as text.
     *
     * @throws dev.parley.platform.http.ApiException 400 where it is too long
     */
    static String toBoundedText(String field, Map<String, Object> json, int max) {
        String text = JsonColumns.text(JsonNode.from(json));
        if (text.length() > max) {
            throw Checks.invalid(field, "must have at most " + max + " characters");
        }
        return text;
    }

    private static <E extends Enum<E>> String choice(String field, Class<E> type, @Nullable String value, E fallback) {
        return Checks.code(Checks.choice(field, type, value, fallback));
    }

    private static String timeout(@Nullable String text) {
        String timeout = text == null ? "30s" : text;
        Checks.time("timeout", timeout, MAX_TIMEOUT, "must be a duration such as 500ms or 30s, at most 10m");
        return timeout;
    }

    private static ToolJson.@Nullable AboutJson about(ToolJson.@Nullable AboutJson about) {
        if (about == null) {
            return null;
        }
        String kind = Checks.requireText("about.kind", about.kind(), 16);
        choice("about.kind", Subject.Kind.class, kind, Subject.Kind.PATH);
        return new ToolJson.AboutJson(kind, Checks.requireName("about.argument", about.argument(), 126));
    }

    private static @Nullable List<ToolJson.ParameterJson> parameters(ToolJson body) {
        List<ToolJson.ParameterJson> parameters = body.parameters();
        if (parameters == null) {
            return null;
        }
        if (body.parametersSchema() != null) {
            throw Checks.invalid("parametersSchema", "cannot be combined with parameters: send one of them");
        }
        if (parameters.size() > MAX_ENTRIES) {
            throw Checks.invalid("parameters", "must have at most " + MAX_ENTRIES + " entries");
        }
        var names = new HashSet<String>();
        for (ToolJson.ParameterJson parameter : parameters) {
            if (parameter == null || !names.add(Checks.requireName("parameters.name", parameter.name(), 64))) {
                throw Checks.invalid("parameters", "must name each parameter once");
            }
            checkParameter(parameter);
        }
        return parameters;
    }

    private static void checkParameter(ToolJson.ParameterJson parameter) {
        if (!TYPES.contains(Checks.requireText("parameters.type", parameter.type(), 16))) {
            throw Checks.invalid("parameters.type", "must be one of " + String.join(", ", TYPES));
        }
        Checks.optional("parameters.description", parameter.description(), 1_024);
    }

    /** Checks the schemas of a tool. */
    private static ToolJson withValidSchemas(ToolJson tool) {
        checkSchema(tool.parametersSchema() == null ? "parameters" : "parametersSchema", Parameters.schema(tool));
        if (tool.responseSchema() != null) {
            checkSchema("responseSchema", tool.responseSchema());
        }
        return tool;
    }

    private static void checkSchema(String field, Map<String, Object> schema) {
        try {
            String text = toBoundedText(field, schema, MAX_SCHEMA);
            if (field.equals("responseSchema")) {
                JsonSchema.of(text);
            } else {
                JsonSchema.ofArguments(text);
            }
        } catch (IllegalArgumentException e) {
            throw Checks.invalid(field, "is not a valid JSON Schema: " + e.getMessage());
        }
    }

    /** The validated skill. */
    static SkillJson skill(DefinitionScope scope, @Nullable String name, SkillJson body) {
        String text = body.text() == null ? "" : body.text();
        String validName = skillName(name, body.name());
        Checks.optional("text", text, MAX_TEXT);
        String category = category(body.category());
        return new SkillJson(
                validName,
                version(body.version()),
                Checks.requireText("description", body.description(), 1_024),
                text,
                !Boolean.FALSE.equals(body.enabled()),
                Checks.optionalName("parent", body.parent(), 64),
                each("tools", body.tools(), CatalogueReader::link),
                each("needs", body.needs(), CatalogueReader::need),
                each("tags", body.tags(), tag -> Checks.requireName("tags", tag, 64)),
                category,
                null,
                null);
    }

    private static String skillName(@Nullable String inPath, @Nullable String inBody) {
        String name = Checks.name(inPath, inBody);
        if (name.length() > 64 || !SKILL.matcher(name).matches()) {
            throw Checks.invalid(
                    "name", "must be 1 to 64 lower-case letters and digits, with single hyphens between them");
        }
        return name;
    }

    private static @Nullable String category(@Nullable String folder) {
        String category = Checks.optionalName("category", folder, 126);
        if (category != null && !FOLDER.matcher(category).matches()) {
            throw Checks.invalid("category", "must be a folder such as office/mail");
        }
        return category;
    }

    /** The entries of a list, each checked; empty where it is missing. */
    static <T> List<T> each(String field, @Nullable List<T> list, Function<T, T> read) {
        List<T> entries = list == null ? List.of() : list;
        if (entries.size() > MAX_ENTRIES || entries.stream().anyMatch(Objects::isNull)) {
            throw Checks.invalid(field, "must have at most " + MAX_ENTRIES + " entries, none of them null");
        }
        return entries.stream().map(read).toList();
    }

    private static SkillJson.LinkJson link(SkillJson.LinkJson link) {
        Map<String, Object> arguments = link.arguments() == null ? Map.of() : link.arguments();
        toBoundedText("tools.arguments", arguments, MAX_ARGUMENTS);
        return new SkillJson.LinkJson(
                Checks.requireName("tools.tool", link.tool(), 64),
                link.version() == null ? null : version(link.version()),
                choice("tools.access", ToolAccess.class, link.access(), ToolAccess.EXECUTE),
                arguments,
                Boolean.TRUE.equals(link.locked()));
    }

    private static SkillJson.NeedJson need(SkillJson.NeedJson need) {
        return new SkillJson.NeedJson(
                Checks.requireName("needs.skill", need.skill(), 64), !Boolean.FALSE.equals(need.required()));
    }
}

package dev.parley.platform.document;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.DefinedRule;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleDocument;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.bot.BotDocuments;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.serde.RecordSerde;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/**
 * Documents in OpenAPI: types and bounds are those of the record, descriptions those of its schema on topics, or of its
 * components where it is on none.
 */
public final class DocumentSchemas {
    static final String REFERENCE = "#/components/schemas/";

    private static final ObjectMapper JSON = JsonMappers.stored();

    private final Map<String, Schema> records = new HashMap<>();
    private final Set<Class<?>> written = new HashSet<>();
    private final ObjectNode schemas;

    private DocumentSchemas(ObjectNode schemas) {
        this.schemas = schemas;
    }

    /** Adds the schemas of all documents, and of what the API returns for them. */
    public static void addTo(ObjectNode openApi) {
        var schemas = new DocumentSchemas(openApi.withObject("/components/schemas"));
        schemas.add(Agent.class);
        RecordSerde.schemas(DefinedRule.class).forEach(schema -> schemas.collect(schema.schema()));
        schemas.records.put(
                RuleDocument.class.getSimpleName(),
                Objects.requireNonNull(schemas.records.get(PermissionRule.class.getSimpleName())));
        schemas.complete("NewPermissionRule", RuleDocument.class, _ -> true);
        RecordSerde.schemas(Skill.class).forEach(schema -> schemas.collect(schema.schema()));
        schemas.complete("Skill", Skill.class, _ -> true);
        Stream.of("Tool", "Skill", "Endpoint").forEach(schemas::alias);
        schemas.schemas.withObject("ToolParameter").remove("required");
        schemas.complete("BotRequest", BotConfig.class, field -> !BotDocuments.OF_OPERATOR.contains(field));
        schemas.complete("ProjectBot", BotConfig.class, BotDocuments::isSetting);
    }

    private void add(Class<? extends Record> type) {
        RecordSerde.schemas(type).forEach(schema -> collect(schema.schema()));
        String name = type.getSimpleName();
        write(name + "Definition", type);
        ObjectNode returned = schemas.putObject(name);
        var parts = returned.putArray("allOf");
        parts.addObject().put("$ref", REFERENCE + name + "Definition");
        ObjectNode state = parts.addObject().put("type", "object");
        ObjectNode properties = state.putObject("properties");
        properties
                .putObject("source")
                .put("type", "string")
                .put(
                        "description",
                        "Origin of the definition: project, host, builtin or config (the installation's file).");
        properties
                .putObject("version")
                .put("type", "string")
                .put("description", "Version of the definition; it changes with each change.");
        properties.putObject("updatedAt").put("type", "string").put("format", "date-time");
        properties
                .putObject("problem")
                .put("type", "string")
                .put(
                        "description",
                        "What is wrong with a stored definition that this build refuses; of its fields it has the "
                                + "name alone.");
        properties
                .putObject("errors")
                .put("type", "array")
                .put("description", "All invalid fields of a refused definition.")
                .putObject("items")
                .put("type", "object");
        properties
                .putObject("stored")
                .put("type", "object")
                .put("description", "The document of a refused definition, as it is stored.");
        properties
                .putObject("active")
                .put("type", "boolean")
                .put("description", "False if the definition was deleted.");
    }

    /** Requests have the same schema as responses, in which the fields of the server are read-only; few are required. */
    private void alias(String name) {
        schemas.withObject(name).remove("required");
        schemas.putObject(name + "Definition").put("$ref", REFERENCE + name);
    }

    private void collect(Schema schema) {
        switch (schema.getType()) {
            case RECORD -> {
                if (records.put(schema.getName(), schema) == null) {
                    schema.getFields().forEach(field -> collect(field.schema()));
                }
            }
            case UNION -> schema.getTypes().forEach(this::collect);
            case ARRAY -> collect(schema.getElementType());
            default -> {}
        }
    }

    private void write(String name, Class<? extends Record> type) {
        if (!written.add(type)) {
            return;
        }
        schemas.putObject(name);
        complete(name, type, _ -> true);
        Document.of(type).fields().stream()
                .filter(DocumentField::required)
                .forEach(field -> schemas.withObject(name).withArray("required").add(field.name()));
    }

    /** Adds fields of a document to a schema, which may have other properties. */
    private void complete(String name, Class<? extends Record> type, Predicate<String> has) {
        ObjectNode properties = schemas.withObject(name).put("type", "object").withObject("properties");
        for (DocumentField field : Document.of(type).fields()) {
            if (has.test(field.name())) {
                ObjectNode property = JSON.valueToTree(field.value().schema());
                properties.set(field.name(), property.put("description", description(type, field)));
                nested(field.value()).ifPresent(inner -> write(inner.getSimpleName(), inner));
            }
        }
    }

    private static Optional<Class<? extends Record>> nested(Value value) {
        return switch (value) {
            case Nested<?> nested -> Optional.of(nested.document().type());
            case Entries entries -> nested(entries.entry());
            default -> Optional.empty();
        };
    }

    private String description(Class<? extends Record> type, DocumentField field) {
        Schema schema = records.get(type.getSimpleName());
        return Arrays.stream(type.getRecordComponents())
                .skip(field.first())
                .limit(field.parts())
                .map(component -> schema == null
                        ? text(component)
                        : schema.getField(component.getName()).doc())
                .collect(Collectors.joining(" / "));
    }

    private static String text(RecordComponent component) {
        return component
                .getAccessor()
                .getAnnotation(io.swagger.v3.oas.annotations.media.Schema.class)
                .description();
    }
}

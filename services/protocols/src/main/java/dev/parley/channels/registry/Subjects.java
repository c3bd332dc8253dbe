package dev.parley.channels.registry;

import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.serde.RegistrySchemaIds;
import dev.parley.schemas.BundledSchema;
import dev.parley.schemas.SchemaCatalog;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;

/**
 * Schema versions by subject: one subject for each record type that stands on a topic. A subject may begin with the name
 * of the only context, as clients of several contexts write it.
 */
final class Subjects {
    private static final String DEFAULT_CONTEXT = ":.:";

    private final Map<String, List<BundledSchema>> versions = new TreeMap<>();
    private final Map<Integer, String> texts = new HashMap<>();

    Subjects() {
        for (Topic<?> topic : Topics.all()) {
            if (!topic.holdsCopies()) {
                RecordSerde.published(topic.type()).forEach(schema -> add(topic, schema.name()));
            }
        }
        SchemaCatalog.bundled()
                .all()
                .forEach(schema -> texts.put(schema.id(), schema.schema().toString()));
    }

    private void add(Topic<?> topic, String record) {
        versions.put(
                RegistrySchemaIds.subject(topic.name(), record),
                SchemaCatalog.bundled().all().stream()
                        .filter(schema -> schema.name().equals(record))
                        .sorted(Comparator.comparingInt(BundledSchema::version))
                        .toList());
    }

    /** The subjects that begin with a prefix, in order. */
    List<String> names(String prefix) {
        return versions.keySet().stream()
                .filter(subject -> subject.startsWith(unqualified(prefix)))
                .toList();
    }

    /** The subjects that have a schema. */
    List<String> of(BundledSchema schema) {
        return versions.entrySet().stream()
                .filter(subject -> subject.getValue().contains(schema))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The schema with an id, also one of a record that stands in a store. */
    BundledSchema requireId(String id) {
        if (!id.matches("-?\\d{1,9}")) {
            throw RegistryException.noResource();
        }
        return SchemaCatalog.bundled()
                .byId(Integer.parseInt(id))
                .orElseThrow(() -> RegistryException.noSchema(id + " "));
    }

    /** The versions of a subject, oldest first. */
    List<BundledSchema> requireVersions(String subject) {
        return Optional.ofNullable(versions.get(unqualified(subject)))
                .orElseThrow(() -> RegistryException.noSubject(subject));
    }

    /** @param version its number, {@code latest} or {@code -1} */
    BundledSchema requireVersion(String subject, String version) {
        List<BundledSchema> all = requireVersions(subject);
        if (version.equals("latest") || version.equals("-1")) {
            return all.getLast();
        }
        if (!version.matches("0*[1-9]\\d{0,9}")) {
            throw RegistryException.invalidVersion(version);
        }
        return all.stream()
                .filter(schema -> schema.version() == Long.parseLong(version))
                .findFirst()
                .orElseThrow(() -> RegistryException.noVersion(version));
    }

    /** The version whose schema is equal to a given one, as Avro compares: whatever its documentation says. */
    Optional<BundledSchema> find(String subject, Schema schema) {
        return versions.getOrDefault(unqualified(subject), List.of()).stream()
                .filter(version -> version.schema().equals(schema))
                .findFirst();
    }

    Optional<BundledSchema> byGuid(String guid) {
        return SchemaCatalog.bundled().all().stream()
                .filter(schema -> guid(schema).equals(guid))
                .findFirst();
    }

    /** The schema as JSON. */
    String text(BundledSchema schema) {
        return texts.getOrDefault(schema.id(), "");
    }

    /** An id of the schema's text that is the same everywhere. */
    String guid(BundledSchema schema) {
        return UUID.nameUUIDFromBytes(text(schema).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /** Whether a schema reads the records of all others. */
    static boolean readsAll(Schema reader, Collection<BundledSchema> writers) {
        return writers.stream()
                .allMatch(writer -> SchemaCompatibility.checkReaderWriterCompatibility(reader, writer.schema())
                                .getType()
                        == SchemaCompatibilityType.COMPATIBLE);
    }

    static String unqualified(String subject) {
        return subject.startsWith(DEFAULT_CONTEXT) ? subject.substring(DEFAULT_CONTEXT.length()) : subject;
    }
}

package dev.parley.channels.registry;

import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.serde.RegistrySchemaIds;
import dev.parley.schemas.BundledSchema;
import dev.parley.schemas.SchemaCatalog;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Schema versions by subject: one for each record type of each topic. */
final class Subjects {
    private final Map<String, List<BundledSchema>> versions = new TreeMap<>();

    Subjects() {
        for (Topic<?> topic : Topics.all()) {
            if (!topic.holdsCopies()) {
                RecordSerde.schemas(topic.type()).forEach(schema -> add(topic, schema.name()));
            }
        }
    }

    private void add(Topic<?> topic, String record) {
        versions.put(
                RegistrySchemaIds.subject(topic.name(), record),
                SchemaCatalog.bundled().all().stream()
                        .filter(schema -> schema.name().equals(record))
                        .sorted(Comparator.comparingInt(BundledSchema::version))
                        .toList());
    }

    List<String> names() {
        return List.copyOf(versions.keySet());
    }

    /** Oldest first; empty where there is no such subject. */
    List<BundledSchema> versions(String subject) {
        return versions.getOrDefault(subject, List.of());
    }

    List<String> of(BundledSchema schema) {
        return versions.entrySet().stream()
                .filter(subject -> subject.getValue().contains(schema))
                .map(Map.Entry::getKey)
                .toList();
    }
}

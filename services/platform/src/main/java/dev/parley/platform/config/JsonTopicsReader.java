package dev.parley.platform.config;

import dev.parley.platform.config.ConfigFile.JsonTopicSection;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordSerde;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the topics to mirror as JSON. */
final class JsonTopicsReader {
    private JsonTopicsReader() {}

    static List<JsonTopic> topics(@Nullable List<@Nullable JsonTopicSection> sections) {
        var topics = new ArrayList<JsonTopic>();
        for (@Nullable JsonTopicSection section : sections == null ? List.<JsonTopicSection>of() : sections) {
            String path = "jsonTopics[" + topics.size() + "]";
            JsonTopic topic = topic(path, section);
            if (topics.stream().anyMatch(other -> other.source() == topic.source())) {
                throw new ConfigException(path + ".topic", "'" + topic.source() + "' is in another item already");
            }
            topics.add(topic);
        }
        return topics;
    }

    private static JsonTopic topic(String path, @Nullable JsonTopicSection section) {
        String name = section == null ? null : section.topic();
        Topic<?> source = Topics.find(name == null ? "" : name)
                .orElseThrow(() -> new ConfigException(
                        path + ".topic",
                        "is one of " + Topics.all().stream().map(Topic::name).collect(Collectors.joining(", "))));
        List<@Nullable String> types = section == null || section.types() == null ? List.of() : section.types();
        return new JsonTopic(source, types(path + ".types", source, types));
    }

    private static Set<String> types(String path, Topic<?> source, List<@Nullable String> names) {
        if (names.isEmpty()) {
            return Set.of();
        }
        if (source.holdsCopies()) {
            throw new ConfigException(path, "cannot be set for '" + source + "', which has records of other topics");
        }
        Set<String> validTypes = RecordSerde.published(source.type()).stream()
                .map(schema -> schema.schema().getName())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> types = new TreeSet<>();
        for (@Nullable String type : names) {
            if (type == null || !validTypes.contains(type)) {
                throw new ConfigException(
                        path, "has '" + type + "', and '" + source + "' has " + String.join(", ", validTypes));
            }
            types.add(type);
        }
        return types;
    }
}

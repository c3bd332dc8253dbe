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

    static List<JsonTopic> topics(@Nullable List<@Nullable JsonTopicSection> written) {
        var topics = new ArrayList<JsonTopic>();
        for (@Nullable JsonTopicSection section : written == null ? List.<JsonTopicSection>of() : written) {
            String at = "jsonTopics[" + topics.size() + "]";
            JsonTopic topic = topic(at, section);
            if (topics.stream().anyMatch(other -> other.source() == topic.source())) {
                throw new ConfigException(at + ".topic", "'" + topic.source() + "' is in another item already");
            }
            topics.add(topic);
        }
        return topics;
    }

    private static JsonTopic topic(String at, @Nullable JsonTopicSection section) {
        String name = section == null ? null : section.topic();
        Topic<?> source = Topics.find(name == null ? "" : name)
                .orElseThrow(() -> new ConfigException(
                        at + ".topic",
                        "is one of " + Topics.all().stream().map(Topic::name).collect(Collectors.joining(", "))));
        List<@Nullable String> types = section == null || section.types() == null ? List.of() : section.types();
        return new JsonTopic(source, types(at + ".types", source, types));
    }

    private static Set<String> types(String at, Topic<?> source, List<@Nullable String> written) {
        if (written.isEmpty()) {
            return Set.of();
        }
        if (source.holdsCopies()) {
            throw new ConfigException(at, "cannot be said of '" + source + "', which has records of other topics");
        }
        Set<String> known = RecordSerde.schemas(source.type()).stream()
                .map(schema -> schema.schema().getName())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> types = new TreeSet<>();
        for (@Nullable String type : written) {
            if (type == null || !known.contains(type)) {
                throw new ConfigException(
                        at, "has '" + type + "', and '" + source + "' has " + String.join(", ", known));
            }
            types.add(type);
        }
        return types;
    }
}

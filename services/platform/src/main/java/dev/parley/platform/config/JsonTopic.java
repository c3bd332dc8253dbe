package dev.parley.platform.config;

import dev.parley.platform.kafka.Topic;
import java.util.Set;

/**
 * A topic mirrored as JSON.
 *
 * @param source what is mirrored
 * @param types names of the records that are; empty for all
 */
public record JsonTopic(Topic<?> source, Set<String> types) {
    public JsonTopic {
        types = Set.copyOf(types);
    }

    /** Whether records of this name are mirrored. */
    public boolean takes(String type) {
        return types.isEmpty() || types.contains(type);
    }
}

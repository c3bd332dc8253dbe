package dev.parley.platform.config;

import dev.parley.platform.kafka.Topic;
import java.util.Set;

/**
 * A topic mirrored as JSON.
 *
 * @param source the mirrored topic
 * @param types names of the mirrored record types; empty for all
 */
public record JsonTopic(Topic<?> source, Set<String> types) {
    public JsonTopic {
        types = Set.copyOf(types);
    }

    /** Whether records of this type are mirrored. */
    public boolean takes(String type) {
        return types.isEmpty() || types.contains(type);
    }
}

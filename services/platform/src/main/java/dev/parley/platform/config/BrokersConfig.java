package dev.parley.platform.config;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Brokers of Kafka that definitions of workflows may reach, and topics whose records are events of projects.
 *
 * @param brokers a definition reaches no others
 * @param topics each record of theirs is an event
 */
public record BrokersConfig(List<Broker> brokers, List<MappedTopic> topics) {
    /** None. */
    public static final BrokersConfig NONE = new BrokersConfig(List.of(), List.of());

    public BrokersConfig {
        brokers = List.copyOf(brokers);
        topics = List.copyOf(topics);
    }

    /**
     * A cluster of brokers.
     *
     * @param servers {@code host:port} of some of them, in lower case
     * @param properties further settings of its clients, such as {@code security.protocol}; secrets are references
     */
    public record Broker(List<String> servers, Map<String, String> properties) {
        public Broker {
            servers = List.copyOf(servers);
            properties = Map.copyOf(properties);
        }

        /** As clients take it. */
        public String bootstrap() {
            return String.join(",", servers);
        }

        @Override
        public String toString() {
            return "Broker[" + bootstrap() + " " + new TreeSet<>(properties.keySet()) + "]";
        }
    }

    /**
     * A topic whose records are events.
     *
     * @param project key of the project, null for the default one
     * @param type of the events that are none of CloudEvents already
     * @param source of such events
     * @param broker null for Parley's own
     */
    public record MappedTopic(
            String topic,
            @Nullable String project,
            String type,
            String source,
            @Nullable Broker broker) {}
}

package dev.parley.platform.config;

import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Kafka brokers that workflow definitions may use, and topics whose records are events of projects.
 *
 * @param brokers the allowed brokers
 * @param topics whose records are events
 */
public record BrokersConfig(List<Broker> brokers, List<MappedTopic> topics) {
    /** No brokers and topics. */
    public static final BrokersConfig NONE = new BrokersConfig(List.of(), List.of());

    public BrokersConfig {
        brokers = List.copyOf(brokers);
        topics = List.copyOf(topics);
    }

    /**
     * A cluster of brokers.
     *
     * @param servers {@code host:port} of some brokers, in lower case
     * @param properties additional client settings, such as {@code security.protocol}; secrets are references
     */
    public record Broker(List<String> servers, Map<String, String> properties) {
        public Broker {
            servers = List.copyOf(servers);
            properties = Map.copyOf(properties);
        }

        /** The value of {@code bootstrap.servers}. */
        public String bootstrap() {
            return String.join(",", servers);
        }

        /** The power to use it. */
        public Power power() {
            return new Power(Kind.BROKER, bootstrap());
        }

        @Override
        public String toString() {
            return "Broker[" + bootstrap() + " " + new TreeSet<>(properties.keySet()) + "]";
        }
    }

    /**
     * A topic whose records are events.
     *
     * @param project key of the project, null for the default project
     * @param type of the events of records that are not CloudEvents
     * @param source of these events
     * @param broker null for the brokers of Parley
     */
    public record MappedTopic(
            String topic,
            @Nullable String project,
            String type,
            String source,
            @Nullable Broker broker) {}
}

package dev.parley.workflows.broker;

import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.BrokersConfig.MappedTopic;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.service.Service;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;

/** Runs one {@link TopicEvents} for each topic that the operator maps to a project. */
public final class MappedTopics implements Service {
    private final List<TopicEvents> topics;

    /**
     * @param ownClients clients of Parley's own broker
     * @param brokers clients of other brokers
     */
    public MappedTopics(
            List<MappedTopic> mappings,
            KafkaClients ownClients,
            Brokers brokers,
            CommandGateway gateway,
            AccessDirectory directory,
            MeterRegistry meters) {
        topics = mappings.stream()
                .map(mapping -> new TopicEvents(
                        mapping,
                        mapping.broker() == null ? ownClients : brokers.clients(mapping.broker()),
                        gateway,
                        directory,
                        meters))
                .toList();
    }

    @Override
    public String name() {
        return "mapped topics";
    }

    @Override
    public void start() {
        topics.forEach(TopicEvents::start);
    }

    @Override
    public Optional<String> problem() {
        return topics.stream().flatMap(topic -> topic.problem().stream()).findFirst();
    }

    @Override
    public void close() {
        topics.forEach(TopicEvents::close);
    }
}

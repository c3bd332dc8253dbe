package dev.parley.agents.turn;

import dev.parley.domain.turn.Agent;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.definitions.DefinitionsPublisher;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.service.Service;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.stream.Collectors;

/** Publishes the agents of {@code parley.yml} when the process starts, and takes back those that stand there no more. */
@Singleton
@Order(10)
@Requires(property = "parley.role.agents", value = "true")
final class ConfiguredAgents implements Service {
    private final ParleyConfig config;
    private final KafkaDefinitions definitions;
    private final DefinitionsPublisher publisher;

    ConfiguredAgents(ParleyConfig config, KafkaClients clients, KafkaDefinitions definitions) {
        this.config = config;
        this.definitions = definitions;
        this.publisher = new DefinitionsPublisher(clients);
    }

    @Override
    public String name() {
        return "agents";
    }

    @Override
    public void start() {
        var wanted = config.agents().stream().collect(Collectors.toMap(Agent::name, agent -> agent));
        var gone = definitions.agents().stream()
                .filter(agent -> !wanted.containsKey(agent.name()))
                .map(Agent::key)
                .toList();
        var changed = config.agents().stream()
                .filter(agent -> !definitions.agent(agent.name()).equals(Optional.of(agent)))
                .toList();
        publisher.publish(changed, gone);
        definitions.awaitAgents(wanted.keySet());
    }

    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public void close() {
        // nothing goes on
    }
}

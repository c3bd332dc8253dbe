package dev.parley.tools;

import dev.parley.domain.turn.ToolSpec;
import dev.parley.platform.definitions.DefinitionsPublisher;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.service.Service;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Publishes the tools that this process has when it starts, so that agents are told of them. */
@Singleton
@Order(10)
@Requires(property = "parley.role.tools", value = "true")
final class PublishedTools implements Service {
    private final ToolWorker worker;
    private final KafkaDefinitions definitions;
    private final DefinitionsPublisher publisher;

    PublishedTools(ToolWorker worker, KafkaDefinitions definitions, KafkaClients clients) {
        this.worker = worker;
        this.definitions = definitions;
        this.publisher = new DefinitionsPublisher(clients);
    }

    @Override
    public String name() {
        return "published tools";
    }

    @Override
    public void start() {
        List<ToolSpec> changed = worker.specs().stream()
                .filter(tool -> !definitions.tools().contains(tool))
                .toList();
        publisher.publish(changed, List.of());
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

package dev.parley.platform.definitions;

import dev.parley.domain.definition.Definition;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.service.Service;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The definitions of this process: those that changed are published at start, and all are visible before {@link
 * #start} returns.
 */
public final class PublishedDefinitions implements Service {
    private final String name;
    private final List<? extends Definition> own;
    private final Predicate<Definition> decided;
    private final KafkaDefinitions definitions;
    private final DefinitionsPublisher publisher;

    /**
     * @param name its name in health
     * @param own what this process defines
     * @param decided of what stands on the topic for the installation that which this process alone decides on: where it is none of its own,
     *     it is taken back
     */
    public PublishedDefinitions(
            String name,
            List<? extends Definition> own,
            Predicate<Definition> decided,
            KafkaDefinitions definitions,
            KafkaClients clients) {
        this.name = name;
        this.own = List.copyOf(own);
        this.decided = decided;
        this.definitions = definitions;
        this.publisher = new DefinitionsPublisher(clients);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void start() {
        var keys = own.stream().map(DefinitionScope.INSTALLATION::key).collect(Collectors.toSet());
        var there = definitions.all();
        var changed = own.stream()
                .filter(definition -> !definition.equals(there.get(DefinitionScope.INSTALLATION.key(definition))))
                .toList();
        var gone = there.entrySet().stream()
                .filter(entry -> DefinitionScope.of(entry.getKey()).equals(DefinitionScope.INSTALLATION) && decided.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .filter(key -> !keys.contains(key))
                .toList();
        publisher.publish(changed, gone);
        definitions.await(keys);
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

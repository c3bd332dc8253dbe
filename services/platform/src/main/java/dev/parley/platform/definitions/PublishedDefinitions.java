package dev.parley.platform.definitions;

import dev.parley.domain.definition.Definition;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.service.Service;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The definitions of this process: those that changed are published at start, and all are visible before {@link
 * #start} returns.
 */
public final class PublishedDefinitions implements Service {
    private final String name;
    private final List<? extends Definition> ownDefinitions;
    private final Predicate<String> managed;
    private final KafkaDefinitions definitions;
    private final DefinitionsPublisher publisher;

    /**
     * @param name its name in health checks
     * @param ownDefinitions definitions of this process
     * @param managed selects the keys of published definitions of the installation that only this process manages; they
     *     are deleted unless it has them, also where this build cannot read them
     */
    public PublishedDefinitions(
            String name,
            List<? extends Definition> ownDefinitions,
            Predicate<String> managed,
            KafkaDefinitions definitions,
            KafkaClients clients) {
        this.name = name;
        this.ownDefinitions = List.copyOf(ownDefinitions);
        this.managed = managed;
        this.definitions = definitions;
        this.publisher = new DefinitionsPublisher(clients);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void start() {
        var keys = ownDefinitions.stream().map(CatalogueScope.INSTALLATION::key).collect(Collectors.toSet());
        var published = definitions.all();
        var outdated = definitions.outdated();
        var changed = ownDefinitions.stream()
                .filter(definition -> {
                    String key = CatalogueScope.INSTALLATION.key(definition);
                    return outdated.contains(key) || !definition.equals(published.get(key));
                })
                .toList();
        var deleted = definitions.keysOfInstallation().stream()
                .filter(managed)
                .filter(key -> !keys.contains(key))
                .toList();
        publisher.publish(changed, deleted);
        definitions.await(keys);
    }

    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public void close() {
        // nothing is running
    }
}

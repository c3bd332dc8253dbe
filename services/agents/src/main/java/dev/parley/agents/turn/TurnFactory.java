package dev.parley.agents.turn;

import dev.parley.domain.definition.DefinedRule;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.bot.BotNames;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.definitions.PublishedDefinitions;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.streams.StreamsRunner;
import dev.parley.platform.streams.TopologyMembers;
import dev.parley.platform.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The beans of the role {@code agents}: the turn topology and the published definitions. */
@Factory
final class TurnFactory {
    /** The application id: the prefix of its changelog topics and transactional ids. It must never change. */
    static final String APPLICATION = "parley-turns";

    /** Publishes the agents of {@code parley.yml} and deletes removed ones. */
    @Singleton
    @Order(10)
    @Named("agents")
    PublishedDefinitions agents(ParleyConfig config, KafkaClients clients, KafkaDefinitions definitions) {
        return new PublishedDefinitions(
                "agents", config.agents(), key -> key.startsWith("agent/"), definitions, clients);
    }

    /** Publishes the permission rules of {@code parley.yml} and deletes removed ones. */
    @Singleton
    @Order(10)
    @Named("permissions")
    PublishedDefinitions permissions(ParleyConfig config, KafkaClients clients, KafkaDefinitions definitions) {
        var rules = config.permissions().stream().map(DefinedRule::new).toList();
        return new PublishedDefinitions(
                "permissions", rules, key -> key.startsWith(CatalogueScope.RULE), definitions, clients);
    }

    @Singleton
    @Order(20)
    @Named(APPLICATION)
    StreamsRunner turns(
            ParleyConfig config,
            KafkaClients clients,
            KafkaDefinitions definitions,
            Optional<AccessDirectory> directory,
            Optional<BotNames> bots,
            LocalDispatch localDispatch,
            Tracing tracing,
            Optional<MeterRegistry> meters) {
        var members = new TopologyMembers(config.instance());
        return new StreamsRunner(
                APPLICATION,
                new TurnTopology(
                                new DefinitionsWithSettings(
                                        definitions,
                                        directory.orElse(AccessDirectory.NOTHING),
                                        bots.orElseGet(() -> config::botNames)),
                                localDispatch,
                                members,
                                tracing,
                                meters.orElse(null))
                        .build(),
                clients,
                members,
                config.instance(),
                config.data().resolve("streams"),
                config.replicas(),
                threads(config),
                StreamsRunner.Pace.CONVERSATION);
    }

    /** One thread per CPU, up to the number of partitions: others process records while one waits for its commit. */
    private static int threads(ParleyConfig config) {
        int fitting = Math.min(Runtime.getRuntime().availableProcessors(), config.partitions());
        return Integer.getInteger("parley.streams.threads", fitting);
    }
}

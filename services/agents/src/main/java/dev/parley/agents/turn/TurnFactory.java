package dev.parley.agents.turn;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.DefinedRule;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.definitions.PublishedDefinitions;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.streams.StreamsRunner;
import dev.parley.platform.streams.TopologyMembers;
import dev.parley.platform.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The turn topology and the agents that it knows, as services of the role {@code agents}. */
@Factory
@Requires(property = "parley.role.agents", value = "true")
final class TurnFactory {
    /** The application's id: the prefix of its changelogs and of its transactions. Never change it. */
    static final String APPLICATION = "parley-turns";

    /** The agents of {@code parley.yml}; those that stand there no more are taken back. */
    @Singleton
    @Order(10)
    @Named("agents")
    PublishedDefinitions agents(ParleyConfig config, KafkaClients clients, KafkaDefinitions definitions) {
        return new PublishedDefinitions("agents", config.agents(), Agent.class::isInstance, definitions, clients);
    }

    /** The rules of {@code parley.yml}; those that stand there no more are taken back. */
    @Singleton
    @Order(10)
    @Named("permissions")
    PublishedDefinitions permissions(ParleyConfig config, KafkaClients clients, KafkaDefinitions definitions) {
        var rules = config.permissions().stream().map(DefinedRule::new).toList();
        return new PublishedDefinitions("permissions", rules, DefinedRule.class::isInstance, definitions, clients);
    }

    @Singleton
    @Order(20)
    @Named(APPLICATION)
    StreamsRunner turns(
            ParleyConfig config,
            KafkaClients clients,
            KafkaDefinitions definitions,
            Optional<AccessDirectory> known,
            LocalDispatch lanes,
            Tracing tracing,
            Optional<MeterRegistry> meters) {
        var members = new TopologyMembers(config.instance());
        return new StreamsRunner(
                APPLICATION,
                new TurnTopology(
                                new SettledDefinitions(definitions, known.orElse(AccessDirectory.NOTHING)),
                                lanes,
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

    /** One for each processor: while one commits, which is mostly waiting, others make steps. */
    private static int threads(ParleyConfig config) {
        int fitting = Math.min(Runtime.getRuntime().availableProcessors(), config.partitions());
        return Integer.getInteger("parley.streams.threads", fitting);
    }
}

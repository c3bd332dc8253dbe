package dev.parley.sessions;

import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.database.Database;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.platform.kafka.Topics;
import dev.parley.sessions.changes.ChangeCopier;
import dev.parley.sessions.mirror.JsonMirror;
import dev.parley.sessions.projection.Projector;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/** Beans of the role {@code sessions}. */
@Factory
@Requires(property = "parley.role.sessions", value = "true")
final class SessionsFactory {
    @Singleton
    @Order(30)
    Projector projector(KafkaClients clients, Database database, Optional<MeterRegistry> registry) {
        return new Projector(clients, database, Topics.TURN_EVENTS, registry.orElseGet(SimpleMeterRegistry::new));
    }

    @Singleton
    @Order(40)
    ChangeCopier changeCopier(ParleyConfig config, KafkaClients clients, AccessFollower directory) {
        return new ChangeCopier(clients, config.instance(), directory::followedProjects);
    }

    @Singleton
    @Order(41)
    JsonMirror jsonMirror(ParleyConfig config, KafkaClients clients, Optional<MeterRegistry> registry) {
        return new JsonMirror(
                clients,
                config.instance(),
                config.jsonTopics(),
                config.replicas(),
                registry.orElseGet(SimpleMeterRegistry::new));
    }

    /** Latest offsets of {@code turn-events}; a read-your-writes check waits at most one second for the brokers. */
    @Bean(preDestroy = "close")
    @Singleton
    TopicEnds turnEventEnds(KafkaClients clients) {
        return new TopicEnds(clients, Topics.TURN_EVENTS, Duration.ofSeconds(1));
    }
}

package dev.parley.sessions;

import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.database.Database;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.streams.StreamsRunner;
import dev.parley.sessions.changes.ProjectChanges;
import dev.parley.sessions.history.StoredMessages;
import dev.parley.sessions.projection.Projector;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/** What the role {@code sessions} runs: on the pool itself, for each of them makes its own transactions. */
@Factory
@Requires(property = "parley.role.sessions", value = "true")
final class SessionsFactory {
    @Singleton
    @Order(30)
    Projector projector(KafkaClients clients, Database database, Optional<MeterRegistry> registry) {
        return new Projector(clients, database, Topics.TURN_EVENTS, registry.orElseGet(SimpleMeterRegistry::new));
    }

    /** Copies what happens in projects. Its name is the prefix of its transactions: never change it. */
    @Singleton
    @Order(40)
    @Named("parley-project-changes")
    StreamsRunner projectChanges(ParleyConfig config, KafkaClients clients) {
        return new StreamsRunner(
                "parley-project-changes",
                ProjectChanges.topology(),
                clients,
                config.instance(),
                config.data().resolve("streams"),
                config.replicas(),
                1,
                StreamsRunner.Pace.BACKGROUND);
    }

    /** A reader that would know whether the views are behind waits no longer than this for the brokers. */
    @Bean(preDestroy = "close")
    @Singleton
    TopicEnds turnEventEnds(KafkaClients clients) {
        return new TopicEnds(clients, Topics.TURN_EVENTS, Duration.ofSeconds(1));
    }

    @Singleton
    StoredMessages storedMessages(Database database, Optional<MeterRegistry> registry) {
        return new StoredMessages(database, registry.orElseGet(SimpleMeterRegistry::new));
    }
}

package dev.parley.server;

import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.gateway.KafkaCommandGateway;
import dev.parley.platform.kafka.KafkaClients;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Singleton;

/** What several roles share. */
@Factory
final class ServerFactory {

    @Singleton
    @Order(5)
    KafkaDefinitions definitions(KafkaClients clients) {
        return new KafkaDefinitions(clients);
    }

    @Singleton
    @Order(15)
    KafkaCommandGateway gateway(KafkaClients clients) {
        return new KafkaCommandGateway(clients);
    }
}

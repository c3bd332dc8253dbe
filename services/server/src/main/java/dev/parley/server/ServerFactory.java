package dev.parley.server;

import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.access.KeyUsage;
import dev.parley.platform.audit.AuditTrail;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.ProcessRole;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.embedding.Embedder;
import dev.parley.platform.embedding.Embedders;
import dev.parley.platform.embedding.HybridSearch;
import dev.parley.platform.embedding.MiniLm;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.gateway.KafkaSettlements;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RefusedRecords;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;

/** Beans that several roles share. */
@Factory
final class ServerFactory {

    @Singleton
    @Bean(preDestroy = "close")
    Tracing tracing() {
        return Tracing.fromEnvironment(System.getenv());
    }

    /**
     * The in-process call channel. {@code -Dparley.local-dispatch=false} closes it for comparison, so that all calls
     * use topics.
     */
    @Singleton
    LocalDispatch localDispatch(Optional<MeterRegistry> meters) {
        return Boolean.parseBoolean(System.getProperty("parley.local-dispatch", "true"))
                ? LocalDispatch.open(meters.orElse(null))
                : LocalDispatch.closed();
    }

    @Singleton
    BlobStore blobs(ParleyConfig config) {
        return new BlobStore(config.blobs(), BlobStore.MOST);
    }

    /** The control service is responsible for what it publishes: it tells of refused records that all processes read. */
    @Singleton
    @Order(4)
    RefusedRecords refusedRecords(KafkaClients clients, ParleyConfig config, Optional<MeterRegistry> meters) {
        Set<String> published = config.roles().contains(ProcessRole.CONTROL)
                ? Set.of(Topics.ACCESS.name(), Topics.DEFINITIONS.name())
                : Set.of();
        return new RefusedRecords(clients, published, meters.orElse(null));
    }

    @Singleton
    @Order(5)
    KafkaDefinitions definitions(KafkaClients clients) {
        return new KafkaDefinitions(clients);
    }

    @Singleton
    Embedder embedder() {
        return MiniLm.SHARED;
    }

    @Singleton
    Embedders embedders(ParleyConfig config) {
        return Embedders.with(config.embedding());
    }

    @Singleton
    HybridSearch finder(Embedder embedder) {
        return new HybridSearch(embedder);
    }

    @Singleton
    @Order(6)
    AccessFollower directory(KafkaClients clients) {
        return new AccessFollower(clients);
    }

    @Singleton
    @Order(6)
    KeyUsage keyUsage(KafkaClients clients) {
        return new KeyUsage(clients);
    }

    @Singleton
    @Order(6)
    AuditTrail auditTrail(KafkaClients clients) {
        return new AuditTrail(clients);
    }

    @Singleton
    @Order(15)
    CommandGateway gateway(KafkaClients clients, LocalDispatch localDispatch) {
        return new CommandGateway(clients, localDispatch);
    }

    @Bean(preDestroy = "close")
    @Singleton
    KafkaSettlements settlements(KafkaClients clients) {
        return new KafkaSettlements(clients);
    }
}

package dev.parley.memory;

import dev.parley.memory.bank.Banks;
import dev.parley.memory.bank.MemoryTopology;
import dev.parley.memory.embed.EmbeddingWorker;
import dev.parley.memory.erasure.ErasedMemories;
import dev.parley.memory.erasure.LateMemories;
import dev.parley.memory.recall.LocalRecall;
import dev.parley.memory.recall.RecallExecutor;
import dev.parley.memory.search.Indexes;
import dev.parley.memory.view.MemoryProjector;
import dev.parley.memory.view.ViewSignals;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.ReadYourWrites;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.embedding.Embedders;
import dev.parley.platform.erasure.ErasureFollower;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.streams.StreamsRunner;
import dev.parley.platform.streams.TopologyMembers;
import dev.parley.platform.worker.WorkerSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Beans of the role {@code memory}. */
@Factory
@Requires(property = "parley.role.memory", value = "true")
final class MemoryFactory {
    /** The application id of the topology: prefix of its changelogs and transactional ids. Must never change. */
    static final String APPLICATION = "parley-memory";

    /** The name of this service in erasure receipts. */
    private static final String SERVICE = "memory";

    /** Concurrent embedding requests. */
    private static final int EMBEDDING_AT_ONCE = 4;

    @Bean(preDestroy = "close")
    @Singleton
    Indexes indexes(ParleyConfig config) throws IOException {
        Path folder = config.data().resolve("memory");
        Files.createDirectories(folder);
        return new Indexes(folder);
    }

    @Bean(preDestroy = "close")
    @Singleton
    Banks banks(Indexes indexes) {
        return new Banks(indexes);
    }

    @Singleton
    @Order(19)
    RecallExecutor recaller(KafkaClients clients, Embedders embedders, AccessFollower directory) {
        return new RecallExecutor(clients, embedders, directory, Clock.systemUTC());
    }

    @Singleton
    LocalRecall localRecall(Banks banks, RecallExecutor recaller) {
        return new LocalRecall(banks, recaller);
    }

    @Singleton
    @Order(20)
    @Named(APPLICATION)
    StreamsRunner memory(
            ParleyConfig config,
            KafkaClients clients,
            Banks banks,
            RecallExecutor recaller,
            Embedders embedders,
            AccessFollower directory,
            LocalDispatch localDispatch,
            MeterRegistry meters) {
        return new StreamsRunner(
                APPLICATION,
                MemoryTopology.of(banks, recaller, embedders.names(), directory, localDispatch, meters),
                clients,
                new TopologyMembers(config.instance()),
                config.instance(),
                config.data().resolve("streams"),
                config.replicas(),
                1,
                StreamsRunner.Pace.KNOWLEDGE);
    }

    /** A read-your-writes check waits at most one second for the brokers. */
    @Bean(preDestroy = "close")
    @Singleton
    ReadYourWrites freshness(KafkaClients clients, Database database) {
        var ends = new TopicEnds(clients, Topics.MEMORY_EVENTS, Duration.ofSeconds(1));
        return new ReadYourWrites(database, ends, "memory.projection_offset_t");
    }

    @Singleton
    @Order(30)
    MemoryProjector projector(KafkaClients clients, Database database, ViewSignals signals) {
        return new MemoryProjector(clients, database, Topics.MEMORY_EVENTS, signals);
    }

    @Singleton
    ViewSignals viewSignals() {
        return new ViewSignals();
    }

    @Singleton
    @Order(30)
    @Named("forgotten sessions")
    ErasureFollower sessions(KafkaClients clients, ErasedMemories erased) {
        return ErasureFollower.ofSessions(SERVICE, clients, erased::ofSession);
    }

    @Singleton
    @Order(30)
    @Named("forgotten people")
    ErasureFollower people(KafkaClients clients, AccessFollower directory, ErasedMemories erased) {
        return ErasureFollower.ofPeople(SERVICE, clients, directory, erased::ofPerson);
    }

    @Singleton
    @Order(30)
    @Named("forgotten projects")
    ErasureFollower projects(KafkaClients clients, AccessFollower directory, ErasedMemories erased) {
        return ErasureFollower.ofProjects(SERVICE, clients, directory, erased::ofProject);
    }

    @Singleton
    @Order(30)
    @Named("forgotten agents")
    ErasureFollower agents(KafkaClients clients, ErasedMemories erased) {
        return ErasureFollower.ofAgents(SERVICE, clients, erased::ofAgent);
    }

    @Singleton
    @Order(30)
    LateMemories lateMemories(ErasedMemories erased) {
        return new LateMemories(erased);
    }

    @Singleton
    @Order(30)
    EmbeddingWorker embeddings(
            KafkaClients clients, Embedders embedders, Optional<MeterRegistry> meters, LocalDispatch localDispatch) {
        return new EmbeddingWorker(
                clients,
                embedders,
                WorkerSettings.of(EmbeddingWorker.GROUP).withMaxCalls(EMBEDDING_AT_ONCE),
                meters.orElse(null),
                localDispatch);
    }
}

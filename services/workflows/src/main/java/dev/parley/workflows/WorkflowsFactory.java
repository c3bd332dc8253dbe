package dev.parley.workflows;

import dev.parley.domain.access.AccessRecord;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.database.Database;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.erasure.ErasureFollower;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.streams.StreamsRunner;
import dev.parley.platform.streams.TopologyMembers;
import dev.parley.workflows.broker.Brokers;
import dev.parley.workflows.broker.MappedTopics;
import dev.parley.workflows.catalogue.WorkflowCatalogue;
import dev.parley.workflows.erasure.ErasedProcesses;
import dev.parley.workflows.topology.CompiledDefinitions;
import dev.parley.workflows.topology.WorkflowTopology;
import dev.parley.workflows.view.AgentTaskProjector;
import dev.parley.workflows.view.WorkflowProjector;
import dev.parley.workflows.work.CallExecutor;
import dev.parley.workflows.work.WorkflowWorker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Beans of the role {@code workflows}: the process topology, the workers and the projectors. */
@Factory
final class WorkflowsFactory {
    /** The application id of Kafka Streams, the prefix of changelogs and transactions. Must never change. */
    static final String APPLICATION = "parley-workflows";

    /** The service's name in receipts. */
    private static final String SERVICE = "workflows";

    /** Runtime name and version for expressions. */
    private static final String VERSION = "0.2";

    @Singleton
    @Order(20)
    @Named(APPLICATION)
    StreamsRunner workflows(
            ParleyConfig config,
            KafkaClients clients,
            LocalDispatch localDispatch,
            Optional<AccessDirectory> accessDirectory,
            MeterRegistry meters) {
        AccessDirectory directory = accessDirectory.orElse(AccessDirectory.NOTHING);
        return new StreamsRunner(
                APPLICATION,
                WorkflowTopology.of(
                        new CompiledDefinitions(),
                        localDispatch,
                        VERSION,
                        project -> directory
                                .project(project)
                                .filter(AccessRecord.Project::archived)
                                .isPresent(),
                        meters),
                clients,
                new TopologyMembers(config.instance()),
                config.instance(),
                config.data().resolve("streams"),
                config.replicas(),
                1,
                StreamsRunner.Pace.CONVERSATION);
    }

    @Singleton
    @Order(30)
    WorkflowProjector projector(KafkaClients clients, Database database) {
        return new WorkflowProjector(clients, database);
    }

    @Singleton
    @Order(30)
    AgentTaskProjector agentTasks(KafkaClients clients, Database database) {
        return new AgentTaskProjector(clients, database);
    }

    @Bean(preDestroy = "close")
    @Singleton
    Brokers brokers(ParleyConfig config) {
        return new Brokers(config.workflows().brokers(), config.powers(), System.getenv());
    }

    @Singleton
    @Order(30)
    WorkflowWorker worker(
            ParleyConfig config,
            KafkaClients clients,
            Brokers brokers,
            WorkflowCatalogue definitions,
            WorkflowClient client,
            CommandGateway gateway,
            Optional<AccessDirectory> accessDirectory,
            List<CallExecutor> additionalExecutors,
            Optional<MeterRegistry> meters,
            LocalDispatch localDispatch) {
        Outbound outbound = Outbound.of(config, System.getenv()).repeating();
        return new WorkflowWorker(
                clients,
                outbound,
                brokers,
                definitions,
                client,
                gateway,
                accessDirectory.orElse(AccessDirectory.NOTHING),
                config.workflows().mockOutputs(),
                additionalExecutors,
                meters.orElse(null),
                localDispatch);
    }

    @Singleton
    @Order(40)
    MappedTopics topics(
            ParleyConfig config,
            KafkaClients clients,
            Brokers brokers,
            CommandGateway gateway,
            Optional<AccessDirectory> accessDirectory,
            Optional<MeterRegistry> meters) {
        return new MappedTopics(
                config.workflows().brokers().topics(),
                clients,
                brokers,
                gateway,
                accessDirectory.orElse(AccessDirectory.NOTHING),
                meters.orElseGet(SimpleMeterRegistry::new));
    }

    @Singleton
    @Order(30)
    @Named("forgotten projects of workflows")
    ErasureFollower projects(KafkaClients clients, AccessFollower directory, ErasedProcesses erased) {
        return ErasureFollower.ofProjects(SERVICE, clients, directory, erased::ofProject);
    }
}

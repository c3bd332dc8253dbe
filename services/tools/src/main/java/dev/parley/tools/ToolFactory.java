package dev.parley.tools;

import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.definitions.DefinitionsPublisher;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.definitions.PublishedDefinitions;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.embedding.HybridSearch;
import dev.parley.platform.erasure.ErasureFollower;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.trace.Tracing;
import dev.parley.platform.worker.WorkerSettings;
import dev.parley.tools.builtin.BuiltinTools;
import dev.parley.tools.checkout.CheckoutTools;
import dev.parley.tools.checkout.Checkouts;
import dev.parley.tools.checkout.OfferedCheckouts;
import dev.parley.tools.files.FileTools;
import dev.parley.tools.files.WorkspaceMaintenance;
import dev.parley.tools.files.Workspaces;
import dev.parley.tools.kind.ToolKind;
import dev.parley.tools.plugin.Plugins;
import dev.parley.tools.web.WebFetchTool;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The beans of the role {@code tools}: the worker with built-in, workspace, web and checkout tools, and all other beans
 * of the type {@link Tool}.
 */
@Factory
@Requires(property = "parley.role.tools", value = "true")
final class ToolFactory {
    /** The name of the service in erasure receipts. */
    private static final String SERVICE = "tools";

    /** Publishes the tools for agents. None is ever deleted, as another instance may have other tools. */
    @Singleton
    @Order(10)
    @Named("tools")
    PublishedDefinitions published(
            ToolWorker worker, OfferedCheckouts checkouts, KafkaDefinitions definitions, KafkaClients clients) {
        List<ToolSpec> everywhere = worker.specs().stream()
                .filter(tool -> !checkouts.specs().contains(tool))
                .toList();
        return new PublishedDefinitions("published tools", everywhere, key -> false, definitions, clients);
    }

    @Singleton
    Checkouts checkouts(ParleyConfig config, AccessFollower directory) {
        return new Checkouts(config.tools(), config.powers(), directory);
    }

    /** Publishes the checkout tools for projects with a checkout. */
    @Singleton
    @Order(30)
    OfferedCheckouts offeredCheckouts(
            Checkouts checkouts, AccessFollower directory, KafkaDefinitions definitions, KafkaClients clients) {
        return new OfferedCheckouts(
                checkouts, CheckoutTools.all(checkouts), directory, definitions, new DefinitionsPublisher(clients));
    }

    @Singleton
    UnknownCalls unknownCalls(Database database, LedgerRows rows) {
        return new UnknownCalls(database, rows);
    }

    @Singleton
    @Order(30)
    WorkspaceMaintenance workspaceMaintenance(Workspaces workspaces) {
        return new WorkspaceMaintenance(workspaces);
    }

    @Singleton
    @Order(30)
    @Named("erased projects")
    ErasureFollower erasedProjects(Workspaces workspaces, AccessFollower directory, KafkaClients clients) {
        return ErasureFollower.ofProjects(
                SERVICE,
                clients,
                directory,
                project -> OptionalLong.of(workspaces.erase(project.host(), project.project())));
    }

    @Singleton
    @Order(30)
    @Named("erased sessions")
    ErasureFollower erasedSessions(KafkaClients clients, Database database, LedgerRows rows) {
        return ErasureFollower.ofSessions(
                SERVICE,
                clients,
                gone -> OptionalLong.of(database.in(Tenant.of(gone.host()), () -> {
                    rows.markErased(gone.host(), gone.sessionIds());
                    return rows.clear(gone.host(), gone.sessionIds());
                })));
    }

    @Bean(preDestroy = "close")
    @Singleton
    Outbound outbound(ParleyConfig config) {
        return Outbound.of(config, System.getenv());
    }

    @Singleton
    DefinedTools defined(KafkaDefinitions definitions, List<ToolKind> kinds, Optional<MeterRegistry> meters) {
        return new DefinedTools(definitions, kinds, meters.orElse(null));
    }

    @Singleton
    @Order(30)
    ToolWorker tools(
            KafkaClients clients,
            List<Tool> additionalTools,
            DefinedTools defined,
            KafkaDefinitions definitions,
            HybridSearch search,
            Workspaces workspaces,
            Outbound outbound,
            Checkouts checkouts,
            Plugins plugins,
            UnknownCalls unknown,
            BlobStore blobs,
            Optional<MeterRegistry> meters,
            Tracing tracing,
            LocalDispatch localDispatch,
            AccessFollower directory) {
        var tools = new ArrayList<Tool>(BuiltinTools.all(Clock.systemUTC(), directory));
        tools.add(BuiltinTools.search(definitions, search));
        tools.addAll(FileTools.all(workspaces));
        tools.add(new WebFetchTool(outbound));
        tools.addAll(CheckoutTools.all(checkouts));
        tools.addAll(additionalTools);
        tools.addAll(plugins.toolsBeside(tools));
        return new ToolWorker(
                clients,
                tools,
                defined,
                unknown,
                blobs,
                WorkerSettings.of(ToolWorker.GROUP),
                meters.orElse(null),
                tracing,
                localDispatch);
    }
}

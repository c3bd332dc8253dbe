package dev.parley.agents.model;

import dev.parley.agents.budget.BudgetAdmission;
import dev.parley.platform.definitions.DefinitionCatalogue;
import dev.parley.platform.definitions.ToolDigests;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import dev.parley.platform.trace.Tracing;
import dev.parley.platform.worker.TracedHandler;
import dev.parley.platform.worker.WorkerLoop;
import dev.parley.platform.worker.WorkerSettings;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The worker of model calls, in-process and from {@code model-requests}: streams to {@code turn-deltas}, results to
 * {@code results}.
 */
public final class ModelWorker implements Service {
    /** The consumer group. */
    public static final String GROUP = "model-workers";

    private final Deltas deltas;
    private final WorkerLoop<?> loop;

    /**
     * @param catalogue has the full text of the tools that requests name by digest
     * @param budgets admit calls
     * @param meters the registry of the metrics, or null
     * @param tracing records the calls' spans
     * @param localDispatch the in-process channel from the topologies of this process
     */
    public ModelWorker(
            KafkaClients clients,
            ModelProviders providers,
            DefinitionCatalogue catalogue,
            BudgetAdmission budgets,
            WorkerSettings settings,
            @Nullable MeterRegistry meters,
            Tracing tracing,
            LocalDispatch localDispatch) {
        deltas = new Deltas(clients, settings.name());
        var calls = new TracedHandler<>(
                new ModelCallHandler(providers, budgets, new ToolDigests(catalogue), deltas), tracing, "model call");
        loop = new WorkerLoop<>(clients, Topics.MODEL_REQUESTS, calls, settings, meters, localDispatch);
    }

    @Override
    public String name() {
        return loop.name();
    }

    @Override
    public void start() {
        loop.start();
    }

    @Override
    public Optional<String> problem() {
        return loop.problem();
    }

    @Override
    public void close() {
        loop.close();
        deltas.close();
    }
}

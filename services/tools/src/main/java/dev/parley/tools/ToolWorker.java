package dev.parley.tools;

import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Database;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import dev.parley.platform.trace.Tracing;
import dev.parley.platform.worker.CallContext;
import dev.parley.platform.worker.Cancellation;
import dev.parley.platform.worker.TracedHandler;
import dev.parley.platform.worker.WorkerLoop;
import dev.parley.platform.worker.WorkerSettings;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out tool calls, of this process and of {@code tool-requests}, and answers in memory or on {@code results}. */
public final class ToolWorker implements Service {
    /** Its consumer group. */
    public static final String GROUP = "tool-workers";

    private static final Logger LOG = LoggerFactory.getLogger(ToolWorker.class);
    private static final Duration KEPT = Duration.ofDays(7);

    /** Most bytes of what is given to no model. */
    private static final int LARGEST = 16 << 20;

    private final WorkerLoop<?> loop;
    private final ToolRegistry registry;
    private final @Nullable ToolLedger ledger;
    private final BlobStore blobs;
    private final @Nullable Runnable gauge;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("tool-ledger").daemon().factory());

    /**
     * @param database with the schema {@link ToolsSchema}, or null: then only idempotent tools are offered
     * @param blobs where the files go that tools make
     * @param meters where to count, or null
     */
    public ToolWorker(
            KafkaClients clients,
            Collection<? extends Tool> tools,
            @Nullable Database database,
            BlobStore blobs,
            WorkerSettings settings,
            @Nullable MeterRegistry meters) {
        this(clients, tools, null, database, blobs, settings, meters, Tracing.none(), LocalDispatch.closed());
    }

    /**
     * @param defined those that are defined while everything runs, or null for none
     * @param database with the schema {@link ToolsSchema}, or null: then only idempotent tools are offered
     * @param blobs where the files go that tools make
     * @param meters where to count, or null
     * @param tracing where the calls' spans go
     * @param lane where topologies of this process hand calls over
     */
    public ToolWorker(
            KafkaClients clients,
            Collection<? extends Tool> tools,
            @Nullable DefinedTools defined,
            @Nullable Database database,
            BlobStore blobs,
            WorkerSettings settings,
            @Nullable MeterRegistry meters,
            Tracing tracing,
            LocalDispatch lane) {
        String name = settings.name() + "-" + UUID.randomUUID();
        this.blobs = blobs;
        registry = new ToolRegistry(tools, defined, database != null);
        ledger = database == null ? null : new ToolLedger(database, name, settings.lease());
        UnknownCalls unknown = database == null ? null : new UnknownCalls(database);
        gauge = unknown == null || meters == null ? null : unknown.gauge(meters);
        loop = new WorkerLoop<>(
                clients,
                Topics.TOOL_REQUESTS,
                new TracedHandler<>(new ToolCalls(registry, ledger, unknown, blobs), tracing, "tool call"),
                settings,
                meters,
                lane);
    }

    /**
     * Carries a call out that no model has asked for, by all that holds for those: a tool that must not run twice is looked up in the ledger.
     *
     * @param key of whoever asks
     * @return {@link CallResult.ToolAnswered}; or {@link CallResult.RetryAfter} where it cannot be carried out now
     */
    public CallResult call(ToolRequest request, RecordKey key, Cancellation cancellation) throws InterruptedException {
        var context = new CallContext(key.toString(), null, cancellation);
        return new ToolExecution(request, registry, ledger, blobs, context).run();
    }

    /**
     * The same for a tool that no model is told of.
     *
     * @param own it, alone
     */
    public CallResult call(ToolRegistry own, ToolRequest request, RecordKey key, Cancellation cancellation)
            throws InterruptedException {
        var context = new CallContext(key.toString(), null, cancellation);
        return new ToolExecution(request, own, ledger, blobs, context, LARGEST).run();
    }

    /** What models are to be told of the tools that this worker has: the definitions to publish. */
    public List<ToolSpec> specs() {
        return registry.specs();
    }

    @Override
    public String name() {
        return loop.name();
    }

    @Override
    public void start() {
        loop.start();
        if (ledger != null) {
            ToolLedger rows = ledger;
            var _ = clock.scheduleWithFixedDelay(() -> purge(rows), 1, 60, TimeUnit.MINUTES);
        }
        if (gauge != null) {
            var _ = clock.scheduleWithFixedDelay(gauge, 0, 1, TimeUnit.MINUTES);
        }
    }

    private static void purge(ToolLedger rows) {
        try {
            rows.purge(KEPT);
        } catch (SQLException | RuntimeException e) {
            LOG.atWarn().setCause(e).log("tool ledger could not be purged");
        }
    }

    @Override
    public Optional<String> problem() {
        return loop.problem();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        loop.close();
    }
}

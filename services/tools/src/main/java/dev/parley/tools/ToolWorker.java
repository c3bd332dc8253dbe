package dev.parley.tools;

import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.platform.blob.BlobStore;
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

/** The worker of tool calls, in-process and from {@code tool-requests}; results go in memory or to {@code results}. */
public final class ToolWorker implements Service {
    /** The consumer group. */
    public static final String GROUP = "tool-workers";

    private static final Logger LOG = LoggerFactory.getLogger(ToolWorker.class);
    private static final Duration RETENTION = Duration.ofDays(7);

    /** Maximum bytes of a result that no model receives. */
    private static final int MAX_HIDDEN_RESULT = 16 << 20;

    private final WorkerLoop<?> loop;
    private final ToolRegistry registry;
    private final @Nullable ToolLedger ledger;
    private final BlobStore blobs;
    private final @Nullable Runnable gauge;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("tool-ledger").daemon().factory());

    /**
     * @param defined the tools defined at run time, or null for none
     * @param unknown the calls of unknown outcome in the ledger, or null: then only idempotent tools are offered
     * @param blobs stores the files of results
     * @param meters the registry of the metrics, or null
     * @param tracing records the calls' spans
     * @param localDispatch the in-process channel from the topologies of this process
     */
    ToolWorker(
            KafkaClients clients,
            Collection<? extends Tool> tools,
            @Nullable DefinedTools defined,
            @Nullable UnknownCalls unknown,
            BlobStore blobs,
            WorkerSettings settings,
            @Nullable MeterRegistry meters,
            Tracing tracing,
            LocalDispatch localDispatch) {
        String name = settings.name() + "-" + UUID.randomUUID();
        this.blobs = blobs;
        registry = new ToolRegistry(tools, defined, unknown != null);
        ledger = unknown == null ? null : new ToolLedger(unknown.database(), unknown.rows(), name, settings.lease());
        gauge = unknown == null || meters == null ? null : unknown.gauge(meters);
        loop = new WorkerLoop<>(
                clients,
                Topics.TOOL_REQUESTS,
                new TracedHandler<>(new ToolCallExecutor(registry, ledger, unknown, blobs), tracing, "tool call"),
                settings,
                meters,
                localDispatch);
    }

    /**
     * Executes a call that no model has requested, by the same rules: the ledger guards tools that must not run twice.
     *
     * @param key the key of the caller
     * @return {@link CallResult.ToolAnswered}; or {@link CallResult.RetryAfter} when it cannot be executed now
     */
    public CallResult call(ToolRequest request, RecordKey key, Cancellation cancellation) throws InterruptedException {
        var context = new CallContext(key.toString(), null, cancellation);
        return new ToolExecution(request, registry, ledger, blobs, context).run();
    }

    /**
     * Executes a call of a tool that is hidden from models.
     *
     * @param singleTool a registry with this tool only
     */
    public CallResult call(ToolRegistry singleTool, ToolRequest request, RecordKey key, Cancellation cancellation)
            throws InterruptedException {
        var context = new CallContext(key.toString(), null, cancellation);
        return new ToolExecution(request, singleTool, ledger, blobs, context, MAX_HIDDEN_RESULT).run();
    }

    /** The specifications of the tools of this worker, to be published. */
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
            rows.purge(RETENTION);
        } catch (RuntimeException e) {
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

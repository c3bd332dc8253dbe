package dev.parley.workflows.work;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.WorkAnswered;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.workflow.WorkCancelled;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.domain.workflow.WorkflowWork;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.service.Service;
import dev.parley.platform.worker.CallContext;
import dev.parley.platform.worker.CallHandler;
import dev.parley.platform.worker.WorkerLoop;
import dev.parley.platform.worker.WorkerRequest;
import dev.parley.platform.worker.WorkerSettings;
import dev.parley.workflows.WorkflowClient;
import dev.parley.workflows.broker.Brokers;
import dev.parley.workflows.catalogue.Definitions;
import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Worker that executes the calls of processes, from the local call channel and from {@code workflow-requests}. */
public final class WorkflowWorker implements Service {
    /** Its consumer group. */
    public static final String GROUP = "workflow-workers";

    private final HttpExchange http;
    private final WorkerLoop<WorkflowWork> loop;

    /**
     * @param brokers those that definitions may reach
     * @param bots those whose sessions are chats
     * @param mocks whether agents that have a {@code mockOutput} give that instead of being asked
     * @param others what other parts of this process can call
     * @param meters where to count, or null
     * @param localDispatch where topologies of this process hand calls over
     */
    public WorkflowWorker(
            KafkaClients clients,
            Outbound outbound,
            Brokers brokers,
            Definitions definitions,
            WorkflowClient client,
            CommandGateway gateway,
            AccessDirectory directory,
            List<BotConfig> bots,
            boolean mocks,
            List<CallExecutor> others,
            @Nullable MeterRegistry meters,
            LocalDispatch localDispatch) {
        http = new HttpExchange(outbound);
        var kafka = new KafkaChannel(brokers);
        var handler = new Handler();
        CallExecutors.of(
                        http,
                        kafka,
                        new StartWorkflow(definitions, client),
                        new AgentTurn(gateway, directory, bots, mocks))
                .forEach(callable -> handler.known.put(callable.function(), callable));
        others.forEach(callable -> handler.known.put(callable.function(), callable));
        loop = new WorkerLoop<>(
                clients, Topics.WORKFLOW_REQUESTS, handler, WorkerSettings.of(GROUP), meters, localDispatch);
    }

    private static final class Handler implements CallHandler<WorkflowWork> {
        private final Map<String, CallExecutor> known = new HashMap<>();

        @Override
        public WorkerRequest classify(WorkflowWork record) {
            return switch (record) {
                case WorkRequest ask ->
                    new WorkerRequest.Call(ask.callId(), ask.attempt(), ask.leaseUntil(), ask.deadline());
                case WorkCancelled(UUID callId) -> new WorkerRequest.Cancel(callId);
            };
        }

        @Override
        public boolean isRepeatable(WorkflowWork record, String key) {
            CallExecutor callable = record instanceof WorkRequest ask ? known.get(ask.function()) : null;
            return callable == null || callable.isRepeatable();
        }

        @Override
        public int weight(WorkflowWork record) {
            return record instanceof WorkRequest ask ? 1_000 + ask.arguments().length() : 100;
        }

        @Override
        public Execution begin(WorkflowWork record, CallContext context) {
            WorkRequest request = (WorkRequest) record; // what is cancelled does not begin
            return new Execution() {
                @Override
                public CallResult run() throws InterruptedException {
                    CallExecutor callable = known.get(request.function());
                    if (callable == null) {
                        return failed(Standard.CONFIGURATION.error(
                                "this server cannot call '" + request.function() + "'", ""));
                    }
                    try {
                        Json arguments = JsonText.read(request.arguments());
                        Optional<Json> output = callable.call(request, arguments, context.cancellation());
                        return new WorkAnswered(
                                request.callId(),
                                request.attempt(),
                                output.map(Json::toString).orElse(null),
                                null);
                    } catch (CallException e) {
                        return failed(e.error());
                    }
                }

                @Override
                public CallResult failure(ErrorCategory category, String detail) {
                    return failed(
                            Instant.now().isBefore(request.deadline())
                                    ? Standard.RUNTIME.error(detail, "")
                                    : Standard.TIMEOUT.error("the call timed out", ""));
                }

                private CallResult failed(WorkflowError error) {
                    return new WorkAnswered(
                            request.callId(),
                            request.attempt(),
                            null,
                            error.toJson().toString());
                }
            };
        }
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
        http.close();
    }
}

package dev.parley.workflows.work;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.WorkAnswered;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.workflow.WorkCancelled;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.domain.workflow.WorkflowWork;
import dev.parley.platform.access.AccessDirectory;
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
import dev.parley.workflows.catalogue.WorkflowCatalogue;
import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import io.micrometer.core.instrument.MeterRegistry;
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
     * @param brokers that definitions may reach
     * @param mocks whether {@code mockOutput} replaces calls of agents
     * @param additionalExecutors executors of other modules
     * @param meters null for no metrics
     * @param localDispatch in-process channel of calls
     */
    public WorkflowWorker(
            KafkaClients clients,
            Outbound outbound,
            Brokers brokers,
            WorkflowCatalogue definitions,
            WorkflowClient client,
            CommandGateway gateway,
            AccessDirectory directory,
            boolean mocks,
            List<CallExecutor> additionalExecutors,
            @Nullable MeterRegistry meters,
            LocalDispatch localDispatch) {
        http = new HttpExchange(outbound);
        var kafka = new KafkaChannel(brokers);
        var executors = new HashMap<String, CallExecutor>();
        CallExecutors.of(http, kafka, new WorkflowCall(definitions, client), new AgentCall(gateway, directory, mocks))
                .forEach(executor -> executors.put(executor.function(), executor));
        additionalExecutors.forEach(executor -> executors.put(executor.function(), executor));
        loop = new WorkerLoop<>(
                clients,
                Topics.WORKFLOW_REQUESTS,
                new Handler(executors),
                WorkerSettings.of(GROUP),
                meters,
                localDispatch);
    }

    /** @param executors by function */
    private record Handler(Map<String, CallExecutor> executors) implements CallHandler<WorkflowWork> {
        @Override
        public WorkerRequest classify(WorkflowWork record) {
            return switch (record) {
                case WorkRequest request ->
                    new WorkerRequest.Call(
                            request.callId(), request.attempt(), request.leaseUntil(), request.deadline());
                case WorkCancelled(UUID callId) -> new WorkerRequest.Cancel(callId);
            };
        }

        @Override
        public boolean isRepeatable(WorkflowWork record, String key) {
            CallExecutor executor = record instanceof WorkRequest request ? executors.get(request.function()) : null;
            return executor == null || executor.isRepeatable();
        }

        @Override
        public int weight(WorkflowWork record) {
            return record instanceof WorkRequest request
                    ? 1_000 + request.arguments().length()
                    : 100;
        }

        @Override
        public Execution begin(WorkflowWork record, CallContext context) {
            WorkRequest request = (WorkRequest) record; // cancellations do not begin
            return new CallExecution(executors.get(request.function()), request, context);
        }
    }

    /**
     * One call.
     *
     * @param executor null if this server cannot call the function
     */
    private record CallExecution(@Nullable CallExecutor executor, WorkRequest request, CallContext context)
            implements CallHandler.Execution {
        @Override
        public CallResult run() throws InterruptedException {
            if (executor == null) {
                return workFailed(
                        Standard.CONFIGURATION.error("this server cannot call '" + request.function() + "'", ""));
            }
            try {
                Json arguments = JsonText.read(request.arguments());
                Optional<Json> output = executor.call(request, arguments, context.cancellation());
                return workAnswered(output.map(Json::toString).orElse(null), null);
            } catch (CallException e) {
                return workFailed(e.error());
            }
        }

        @Override
        public CallResult failure(ErrorCategory category, String detail) {
            return workFailed(
                    context.cancellation().deadline().passed()
                            ? Standard.TIMEOUT.error("the call timed out", "")
                            : Standard.RUNTIME.error(detail, ""));
        }

        private CallResult workFailed(WorkflowError error) {
            return workAnswered(null, error.toJson().toString());
        }

        private CallResult workAnswered(@Nullable String output, @Nullable String error) {
            return new WorkAnswered(request.callId(), request.attempt(), output, error);
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

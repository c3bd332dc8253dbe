package dev.parley.agents.model;

import dev.parley.agents.budget.BudgetAdmission;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.GuardrailStage;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CancelCall;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.ModelWork;
import dev.parley.platform.definitions.ToolDigests;
import dev.parley.platform.worker.CallContext;
import dev.parley.platform.worker.CallHandler;
import dev.parley.platform.worker.WorkerRequest;
import java.time.Duration;
import java.util.List;

/** Executes model calls with the provider that their agent names. */
record ModelCallHandler(ModelProviders providers, BudgetAdmission budgets, ToolDigests toolDigests, Deltas deltas)
        implements CallHandler<ModelWork> {

    @Override
    public WorkerRequest classify(ModelWork record) {
        return switch (record) {
            case ModelRequest request ->
                new WorkerRequest.Call(request.callId(), request.attempt(), request.leaseUntil(), request.deadline());
            case CancelCall cancel -> new WorkerRequest.Cancel(cancel.callId());
        };
    }

    @Override
    public int weight(ModelWork record) {
        return record instanceof ModelRequest request ? request.weight() : 0;
    }

    @Override
    public Execution begin(ModelWork record, CallContext context) {
        return switch (record) {
            case ModelRequest request ->
                toolDigests
                        .complete(request, () -> RecordKey.parse(context.key()).projectId())
                        .<Execution>map(completed -> new ModelExecution(
                                completed, providers, budgets, context, recorder(completed, context)))
                        .orElseGet(() -> new UnknownTools(request));
            case CancelCall cancel -> throw new IllegalArgumentException("not a call: " + cancel);
        };
    }

    private StreamRecorder recorder(ModelRequest request, CallContext context) {
        return new StreamRecorder(
                request.turnId() == null || isGuarded(request)
                        ? null
                        : deltas.sender(context, request.turnId(), request.step(), request.attempt()));
    }

    /** Text that guardrails have to check is not streamed; it is shown once they have passed it. */
    private static boolean isGuarded(ModelRequest request) {
        boolean isTranscript = request.purpose() == ModelRequest.Purpose.TRANSCRIPT;
        return !request.agent()
                .guardrails(isTranscript ? GuardrailStage.INPUT : GuardrailStage.OUTPUT)
                .isEmpty();
    }

    /** A call whose tool versions are not known here: it is retried immediately, with the full text of the tools. */
    private record UnknownTools(ModelRequest request) implements Execution {
        @Override
        public CallResult run() {
            return new RetryAfter(
                    request.callId(), request.attempt(), Duration.ZERO, "the worker has other versions of the tools");
        }

        @Override
        public CallResult failure(ErrorCategory category, String detail) {
            return new ModelFailed(request.callId(), request.attempt(), category, detail, null, List.of());
        }
    }
}

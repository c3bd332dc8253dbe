package dev.parley.agents.model;

import dev.parley.domain.turn.CallResult;
import dev.parley.domain.turn.CallResult.ModelAnswered;
import dev.parley.domain.turn.CallResult.ModelFailed;
import dev.parley.domain.turn.ErrorCategory;
import dev.parley.domain.turn.ModelRequest;
import dev.parley.platform.worker.CallContext;
import dev.parley.platform.worker.CallHandler.Execution;

/** One model call being made. */
final class ModelExecution implements Execution {
    /** A longer response is not kept whole beside its items: it would not fit into a record with them. */
    private static final int MOST_RAW = 2 << 20;

    private final ModelRequest request;
    private final ModelProviders providers;
    private final CallContext context;
    private final Heard heard;

    ModelExecution(ModelRequest request, ModelProviders providers, CallContext context, Heard heard) {
        this.request = request;
        this.providers = providers;
        this.context = context;
        this.heard = heard;
    }

    @Override
    public CallResult run() throws InterruptedException {
        try {
            ModelProvider provider = providers.get(request.agent().provider());
            ModelAnswer answer = provider.call(request, heard, context.cancellation());
            heard.finish();
            String raw = answer.raw();
            return new ModelAnswered(
                    request.callId(),
                    request.attempt(),
                    answer.blocks(),
                    answer.finish(),
                    providers.prices().priced(answer.usage(), provider.name(), answer.model()),
                    provider.name(),
                    answer.model(),
                    raw == null || raw.length() > MOST_RAW ? null : raw);
        } catch (ModelFailure e) {
            return failed(e);
        }
    }

    /** However a provider says that it was interrupted: where the call was cancelled, that is why it failed. */
    private CallResult failed(ModelFailure e) throws InterruptedException {
        if (context.cancellation().requested()) {
            throw new InterruptedException(e.detail());
        }
        heard.finish();
        var partial = e.partial().isEmpty() ? heard.partial() : e.partial();
        return new ModelFailed(request.callId(), request.attempt(), e.category(), e.detail(), e.retryAfter(), partial);
    }

    @Override
    public CallResult failure(ErrorCategory category, String detail) {
        heard.abandon();
        return new ModelFailed(request.callId(), request.attempt(), category, detail, null, heard.partial());
    }
}

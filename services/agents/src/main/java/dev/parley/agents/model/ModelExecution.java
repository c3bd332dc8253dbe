package dev.parley.agents.model;

import dev.parley.domain.turn.Agent;
import dev.parley.domain.turn.CallResult;
import dev.parley.domain.turn.CallResult.ModelAnswered;
import dev.parley.domain.turn.CallResult.ModelFailed;
import dev.parley.domain.turn.CallResult.RetryAfter;
import dev.parley.domain.turn.ErrorCategory;
import dev.parley.domain.turn.ModelRequest;
import dev.parley.platform.worker.CallContext;
import dev.parley.platform.worker.CallHandler.Execution;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One model call being made. */
final class ModelExecution implements Execution {
    private static final Logger LOG = LoggerFactory.getLogger(ModelExecution.class);
    private static final Set<ErrorCategory> OTHERS_MAY_ANSWER = EnumSet.of(
            ErrorCategory.AUTH,
            ErrorCategory.NOT_FOUND,
            ErrorCategory.RATE_LIMIT,
            ErrorCategory.OVERLOADED,
            ErrorCategory.SERVER,
            ErrorCategory.NETWORK,
            ErrorCategory.TIMEOUT);

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
            Optional<Duration> wait = providers.wait(request.agent().provider(), request.host());
            return wait.isPresent()
                    ? new RetryAfter(
                            request.callId(),
                            request.attempt(),
                            wait.get(),
                            "the host's calls of this minute are used up")
                    : answered(request.agent());
        } catch (ModelFailure e) {
            return instead(e);
        }
    }

    /** Another model's answer, where the agent has one to fall back to and this one cannot answer at all. */
    private CallResult instead(ModelFailure failure) throws InterruptedException {
        for (String model : request.agent().fallbacks()) {
            if (context.cancellation().requested()
                    || !heard.isSilent()
                    || !OTHERS_MAY_ANSWER.contains(failure.category())) {
                break;
            }
            try {
                return answered(request.agent().instead(model));
            } catch (ModelFailure e) {
                LOG.atWarn()
                        .addKeyValue("model", model)
                        .addKeyValue("error", e.category().code())
                        .addKeyValue("detail", e.detail())
                        .log("the model to fall back to cannot answer either");
            }
        }
        return failed(failure);
    }

    private CallResult answered(Agent agent) throws ModelFailure, InterruptedException {
        ModelAnswer answer = providers.call(request.by(agent), heard, context.cancellation());
        heard.finish();
        String raw = answer.raw();
        return new ModelAnswered(
                request.callId(),
                request.attempt(),
                answer.blocks(),
                answer.finish(),
                answer.usage(),
                agent.provider(),
                answer.model(),
                raw == null || raw.length() > MOST_RAW ? null : raw);
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

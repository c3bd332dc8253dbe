package dev.parley.agents.model;

import dev.parley.agents.budget.BudgetAdmission;
import dev.parley.agents.budget.BudgetAdmission.Admitted;
import dev.parley.agents.budget.Call;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.worker.CallContext;
import dev.parley.platform.worker.CallHandler.Execution;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The execution of one model call. */
final class ModelExecution implements Execution {
    private static final Logger LOG = LoggerFactory.getLogger(ModelExecution.class);
    private static final Set<ErrorCategory> FALLBACK_CATEGORIES = EnumSet.of(
            ErrorCategory.AUTH,
            ErrorCategory.NOT_FOUND,
            ErrorCategory.RATE_LIMIT,
            ErrorCategory.OVERLOADED,
            ErrorCategory.SERVER,
            ErrorCategory.NETWORK,
            ErrorCategory.TIMEOUT);

    /** Error messages of providers about items that they did not issue. */
    private static final Pattern SEALED = Pattern.compile(
            "encrypted.content|signature.{0,20}thinking|thinking.{0,40}signature", Pattern.CASE_INSENSITIVE);

    /** The minimum delay of a call for which running calls have reserved the rest of a budget. */
    private static final Duration BUDGET_RETRY_DELAY = Duration.ofMillis(500);

    private static final String DEFERRED =
            "the model's circuit breaker is open, or the host has used up its calls of this minute";

    private final ModelRequest request;
    private final ModelProviders providers;
    private final BudgetAdmission budgets;
    private final CallContext context;
    private final StreamRecorder recorder;
    private volatile Admitted admitted = Admitted.NOTHING;
    private @Nullable ModelFailure firstFailure;

    /** The shortest of the models that cannot be called now. */
    private @Nullable CallDeferred deferral;

    ModelExecution(
            ModelRequest request,
            ModelProviders providers,
            BudgetAdmission budgets,
            CallContext context,
            StreamRecorder recorder) {
        this.request = request;
        this.providers = providers;
        this.budgets = budgets;
        this.context = context;
        this.recorder = recorder;
    }

    /** Calls the agent's model, and its fallbacks in turn while one cannot answer and has streamed nothing. */
    @Override
    public CallResult run() throws InterruptedException {
        for (Agent agent : candidates()) {
            if (firstFailure != null && !mayFallBack(firstFailure)) {
                break;
            }
            Optional<CallResult> answered = tryModel(agent);
            if (answered.isPresent()) {
                return answered.get();
            }
        }
        if (firstFailure != null) {
            return modelFailed(firstFailure);
        }
        CallDeferred shortest = Objects.requireNonNull(deferral, "every candidate is deferred");
        return new RetryAfter(request.callId(), request.attempt(), shortest.delay(), shortest.detail());
    }

    private List<Agent> candidates() {
        Agent requested = request.agent();
        if (request.purpose() == ModelRequest.Purpose.TRANSCRIPT) {
            return List.of(requested); // fallbacks do not transcribe
        }
        return Stream.concat(
                        Stream.of(requested), requested.fallbacks().stream().map(requested::instead))
                .toList();
    }

    /** Calls one model; empty if it failed or cannot be called now. */
    private Optional<CallResult> tryModel(Agent agent) throws InterruptedException {
        Optional<Duration> pause = providers.pause(agent, request.host());
        if (pause.isPresent()) {
            deferral = shorter(deferral, new CallDeferred(pause.get(), DEFERRED));
            return Optional.empty();
        }
        try {
            return Optional.of(callModel(agent));
        } catch (CallDeferred e) {
            deferral = shorter(deferral, e);
        } catch (ModelFailure e) {
            log(agent, e);
            firstFailure = firstFailure == null ? e : firstFailure;
        }
        return Optional.empty();
    }

    private static CallDeferred shorter(@Nullable CallDeferred current, CallDeferred other) {
        return current == null || other.delay().compareTo(current.delay()) < 0 ? other : current;
    }

    private boolean mayFallBack(ModelFailure failure) {
        return !context.cancellation().requested()
                && recorder.isSilent()
                && FALLBACK_CATEGORIES.contains(failure.category());
    }

    private static void log(Agent agent, ModelFailure e) {
        LOG.atInfo()
                .addKeyValue("model", agent.provider() + "/" + agent.model())
                .addKeyValue("error", e.category().code())
                .addKeyValue("detail", e.detail())
                .log("model call failed");
    }

    /**
     * Sealed items are bound to more than a provider's name, such as the organisation of a key. When a provider rejects
     * its own items, the conversation is sent once more without them.
     */
    private ModelAnswer call(ModelRequest modelRequest) throws ModelFailure, InterruptedException {
        try {
            return providers.call(modelRequest, recorder, context.cancellation());
        } catch (ModelFailure e) {
            if (e.category() != ErrorCategory.INVALID_REQUEST
                    || !SEALED.matcher(e.detail()).find()) {
                throw e;
            }
            log(modelRequest.agent(), e);
            return providers.call(modelRequest.withoutProviders(), recorder, context.cancellation());
        }
    }

    /** Reserves the estimate before the call, and settles the usage after it. */
    private ModelAnswer paid(ModelRequest modelRequest) throws ModelFailure, InterruptedException {
        admitted = admit(modelRequest);
        try {
            ModelAnswer answer = call(modelRequest);
            admitted.settle(answer.usage());
            return answer;
        } finally {
            admitted.release();
        }
    }

    private Admitted admit(ModelRequest modelRequest) throws ModelFailure, InterruptedException {
        Agent agent = modelRequest.agent();
        var call = new Call(
                modelRequest.host(),
                RecordKey.parse(context.key()).projectId(),
                CallOwner.of(modelRequest).user(),
                modelRequest.callId(),
                modelRequest.attempt(),
                agent.provider(),
                agent.model());
        return switch (budgets.admit(call, () -> providers.estimate(modelRequest))) {
            case Admitted granted -> granted;
            case BudgetAdmission.Refused refused -> throw new ModelFailure(ErrorCategory.BUDGET, refused.detail());
            case BudgetAdmission.Deferred deferred -> throw deferral(deferred.reason());
        };
    }

    private CallDeferred deferral(String reason) throws InterruptedException {
        if (context.cancellation().requested()) {
            throw new InterruptedException(reason);
        }
        long jitter = ThreadLocalRandom.current().nextLong(BUDGET_RETRY_DELAY.toMillis());
        return new CallDeferred(BUDGET_RETRY_DELAY.plusMillis(jitter), reason);
    }

    @Override
    public List<TurnDelta> unshown() {
        return recorder.unsent();
    }

    @Override
    public void progress() {
        admitted.renew();
    }

    private CallResult callModel(Agent agent) throws ModelFailure, InterruptedException {
        ModelRequest modelRequest = request.withAgent(agent);
        ModelAnswer answer = paid(modelRequest);
        StrictAnswer.check(modelRequest, answer);
        recorder.finish();
        return answer.result(modelRequest);
    }

    /** The failure, unless the call was cancelled: then that is the cause, whatever the provider reports. */
    private CallResult modelFailed(ModelFailure e) throws InterruptedException {
        if (context.cancellation().requested()) {
            throw new InterruptedException(e.detail());
        }
        recorder.finish();
        var partial = e.partial().isEmpty() ? recorder.partial() : e.partial();
        return new ModelFailed(request.callId(), request.attempt(), e.category(), e.detail(), e.retryAfter(), partial);
    }

    @Override
    public CallResult failure(ErrorCategory category, String detail) {
        recorder.abandon();
        return new ModelFailed(request.callId(), request.attempt(), category, detail, null, recorder.partial());
    }
}

package dev.parley.agents.model;

import dev.parley.agents.budget.Budgets;
import dev.parley.agents.budget.Budgets.Held;
import dev.parley.agents.budget.Call;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
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
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

    /** How providers say that an item is none of theirs. */
    private static final Pattern SEALED = Pattern.compile(
            "encrypted.content|signature.{0,20}thinking|thinking.{0,40}signature", Pattern.CASE_INSENSITIVE);

    /** How long a call waits, at the least, for others that hold what is left of a budget. */
    private static final Duration REST = Duration.ofMillis(500);

    private static final String WAITS =
            "the model is left alone for a while, or the host's calls of this minute are used up";

    private final ModelRequest request;
    private final ModelProviders providers;
    private final Budgets budgets;
    private final CallContext context;
    private final StreamRecorder heard;
    private volatile Held held = Held.NOTHING;

    ModelExecution(
            ModelRequest request,
            ModelProviders providers,
            Budgets budgets,
            CallContext context,
            StreamRecorder heard) {
        this.request = request;
        this.providers = providers;
        this.budgets = budgets;
        this.context = context;
        this.heard = heard;
    }

    /** Asks the agent's model, or another one where the agent has such and this one cannot answer at all. */
    @Override
    public CallResult run() throws InterruptedException {
        ModelFailure failure = null;
        Duration wait = null;
        String why = WAITS;
        for (Agent agent : candidates()) {
            if (failure != null && !anotherMayAnswer(failure)) {
                break;
            }
            Optional<Duration> pause = providers.pause(agent, request.host());
            if (pause.isPresent()) {
                wait = shorter(wait, pause.get());
                continue;
            }
            try {
                return answered(agent);
            } catch (CallDeferred e) {
                wait = shorter(wait, e.rest());
                why = e.detail();
            } catch (ModelFailure e) {
                log(agent, e);
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            return failed(failure);
        }
        return new RetryAfter(
                request.callId(), request.attempt(), Objects.requireNonNull(wait, "every candidate waits"), why);
    }

    private static Duration shorter(@Nullable Duration one, Duration other) {
        return one == null || other.compareTo(one) < 0 ? other : one;
    }

    private List<Agent> candidates() {
        Agent own = request.agent();
        if (request.purpose() == ModelRequest.Purpose.TRANSCRIPT) {
            return List.of(own); // the others talk
        }
        return Stream.concat(Stream.of(own), own.fallbacks().stream().map(own::instead))
                .toList();
    }

    private boolean anotherMayAnswer(ModelFailure failure) {
        return !context.cancellation().requested()
                && heard.isSilent()
                && OTHERS_MAY_ANSWER.contains(failure.category());
    }

    private static void log(Agent agent, ModelFailure e) {
        LOG.atInfo()
                .addKeyValue("model", agent.provider() + "/" + agent.model())
                .addKeyValue("error", e.category().code())
                .addKeyValue("detail", e.detail())
                .log("a model did not answer");
    }

    /**
     * What is sealed is bound to more than a name, such as the organisation of a key. A provider that does not know its own
     * items any more is told the conversation as another one's.
     */
    private ModelAnswer call(ModelRequest asked) throws ModelFailure, InterruptedException {
        try {
            return providers.call(asked, heard, context.cancellation());
        } catch (ModelFailure e) {
            if (e.category() != ErrorCategory.INVALID_REQUEST
                    || !SEALED.matcher(e.detail()).find()) {
                throw e;
            }
            log(asked.agent(), e);
            return providers.call(asked.carriedOver(), heard, context.cancellation());
        }
    }

    /** What a call may use is reserved before it is made, and what it did use counts after. */
    private ModelAnswer paid(ModelRequest asked) throws ModelFailure, InterruptedException {
        held = held(asked);
        try {
            ModelAnswer answer = call(asked);
            held.used(answer.usage());
            return answer;
        } finally {
            held.unused();
        }
    }

    private Held held(ModelRequest asked) throws ModelFailure, InterruptedException {
        Agent agent = asked.agent();
        UUID project = RecordKey.parse(context.key()).projectId();
        UUID user = CallOwner.of(asked).user();
        var call =
                new Call(asked.host(), project, user, asked.callId(), asked.attempt(), agent.provider(), agent.model());
        return switch (budgets.hold(call, () -> providers.estimate(asked))) {
            case Held granted -> granted;
            case Budgets.Refused no -> throw new ModelFailure(ErrorCategory.BUDGET, no.detail());
            case Budgets.Later later -> {
                if (context.cancellation().requested()) {
                    throw new InterruptedException(later.reason());
                }
                throw new CallDeferred(
                        REST.plusMillis(ThreadLocalRandom.current().nextLong(REST.toMillis())), later.reason());
            }
        };
    }

    @Override
    public List<TurnDelta> unshown() {
        return heard.rest();
    }

    @Override
    public void progress() {
        held.goesOn();
    }

    private CallResult answered(Agent agent) throws ModelFailure, InterruptedException {
        ModelAnswer answer = paid(request.withAgent(agent));
        heard.finish();
        return new ModelAnswered(
                request.callId(),
                request.attempt(),
                answer.blocks(),
                answer.finish(),
                answer.usage(),
                agent.provider(),
                answer.model(),
                answer.raw(),
                answer.payer());
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

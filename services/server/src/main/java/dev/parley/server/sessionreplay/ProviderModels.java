package dev.parley.server.sessionreplay;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelProviders;
import dev.parley.agents.model.ModelStream;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.platform.worker.Cancellation;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls the configured providers, with the configured keys. Fallbacks of the model are not used. */
final class ProviderModels implements ModelCaller {
    private final ModelProviders providers;

    ProviderModels(ModelProviders providers) {
        this.providers = providers;
    }

    @Override
    public CallResult call(ModelRequest request, Duration timeout) throws InterruptedException {
        var cancellation = new Cancellation();
        Callable<ModelAnswer> call = () -> providers.call(request, ModelStream.NONE, cancellation);
        var task = new FutureTask<>(call);
        Thread thread = Thread.ofVirtual().name("replayed-model-call").start(task);
        try {
            return task.get(Math.max(1, timeout.toMillis()), TimeUnit.MILLISECONDS)
                    .result(request);
        } catch (ExecutionException e) {
            return failure(request, e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            return failure(request, new ModelFailure(ErrorCategory.TIMEOUT, "the replay has used up its time"));
        } finally {
            cancellation.cancel(Cancellation.Reason.CANCELLED);
            thread.interrupt();
        }
    }

    private static CallResult failure(ModelRequest request, Throwable cause) {
        ModelFailure failure = cause instanceof ModelFailure known
                ? known
                : new ModelFailure(ErrorCategory.UNKNOWN, String.valueOf(cause));
        return new ModelFailed(
                request.callId(),
                request.attempt(),
                failure.category(),
                failure.detail(),
                failure.retryAfter(),
                failure.partial());
    }
}

package dev.parley.agents.model.wire;

import dev.parley.agents.model.ModelFailure;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Base of the readers of JSON responses: parses events, and keeps the first failure that the provider reports. */
public abstract class JsonResponseReader implements ResponseHandler {
    /** The data of the event that ends a stream. */
    private static final String DONE = "[DONE]";

    private @Nullable ModelFailure failure;

    /**
     * An event that reports no failure.
     *
     * @param data its text
     */
    protected abstract Progress onEvent(VerbatimJson event, String data);

    /**
     * A complete response that reports no failure.
     *
     * @param body its text
     */
    protected abstract void onBody(VerbatimJson response, String body);

    /**
     * The event that ends the stream.
     *
     * @param data its text
     */
    protected void onDone(String data) {}

    @Override
    public final Progress onEvent(String data) throws IOException {
        if (data.strip().equals(DONE)) {
            onDone(data);
            return Progress.END;
        }
        VerbatimJson event = VerbatimJson.parse(data);
        Progress progress = isFailed(event) ? Progress.END : onEvent(event, data);
        return failure == null ? progress : Progress.END;
    }

    @Override
    public final void onBody(String body) throws IOException {
        VerbatimJson response = VerbatimJson.parse(body);
        if (!isFailed(response)) {
            onBody(response, body);
        }
    }

    /** Whether this object reports a failure, or an earlier one has. */
    protected final boolean isFailed(VerbatimJson json) {
        if (failure == null) {
            failure = ProviderErrors.findFailure(json);
        }
        return failure != null;
    }

    /** The response has failed. */
    protected final void fail(ModelFailure reported) {
        failure = reported;
    }

    /** @throws ModelFailure if the response has failed */
    protected final void throwFailure() throws ModelFailure {
        if (failure != null) {
            throw failure;
        }
    }
}

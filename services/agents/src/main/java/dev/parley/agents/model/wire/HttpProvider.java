package dev.parley.agents.model.wire;

import dev.parley.agents.model.CallOwner;
import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelProvider;
import dev.parley.agents.model.ModelStream;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.worker.Cancellation;

/** Base of providers with an HTTP API: configuration, keys, attachments and the connection. */
public abstract class HttpProvider implements ModelProvider {
    protected final ProviderConfig config;
    private final ProviderKeys keys;
    protected final Attachments attachments;
    protected final ModelHttp http;

    protected HttpProvider(ProviderConfig config, ProviderKeys keys, Attachments attachments) {
        this.config = config;
        this.keys = keys;
        this.attachments = attachments;
        this.http = new ModelHttp(config);
    }

    /** Makes a {@link #call} with a key. */
    protected abstract ModelAnswer answer(
            ModelRequest request, Payment payment, ModelStream stream, Cancellation cancellation)
            throws ModelFailure, InterruptedException;

    @Override
    public final ModelAnswer call(ModelRequest request, ModelStream stream, Cancellation cancellation)
            throws ModelFailure, InterruptedException {
        Payment payment = keys.payment(config, request.agent(), CallOwner.of(request));
        try {
            return answer(request, payment, stream, cancellation).paidBy(payment.payer());
        } catch (ModelFailure e) {
            throw payment.redact(e);
        }
    }

    @Override
    public final String name() {
        return config.name();
    }

    @Override
    public final void close() {
        http.close();
    }
}

package dev.parley.agents.model.wire;

import dev.parley.agents.model.ModelProvider;
import dev.parley.platform.config.ProviderConfig;

/** A provider behind an HTTP API: what its own writer and reader need. */
public abstract class HttpProvider implements ModelProvider {
    protected final ProviderConfig config;
    protected final ProviderKeys keys;
    protected final Attachments attachments;
    protected final ModelHttp http;

    protected HttpProvider(ProviderConfig config, ProviderKeys keys, Attachments attachments) {
        this.config = config;
        this.keys = keys;
        this.attachments = attachments;
        this.http = new ModelHttp(config);
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

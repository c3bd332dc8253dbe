package dev.parley.agents.model.openai;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelProvider;
import dev.parley.agents.model.ModelStream;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.ModelHttp;
import dev.parley.agents.model.wire.Secrets;
import dev.parley.domain.turn.ModelRequest;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.worker.Cancellation;

/**
 * OpenAI's Responses API.
 *
 * @see <a href="https://platform.openai.com/docs/api-reference/responses">its reference</a>
 */
public final class OpenAiProvider implements ModelProvider {
    private final ProviderConfig config;
    private final Secrets secrets;
    private final Attachments attachments;
    private final ModelHttp http;

    public OpenAiProvider(ProviderConfig config, Secrets secrets, Attachments attachments) {
        this.config = config;
        this.secrets = secrets;
        this.attachments = attachments;
        this.http = new ModelHttp(config);
    }

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public ModelAnswer call(ModelRequest request, ModelStream stream, Cancellation cancellation)
            throws ModelFailure, InterruptedException {
        var reader = new ResponsesReader(name(), stream);
        String body = ResponsesRequest.body(request, name(), attachments);
        http.post("/responses", secrets.bearer(config, request.agent()), body, cancellation, reader);
        return reader.answer(request.agent().model());
    }

    @Override
    public void close() {
        http.close();
    }
}

package dev.parley.agents.model.chat;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelStream;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.HttpProvider;
import dev.parley.agents.model.wire.Payment;
import dev.parley.agents.model.wire.ProviderKeys;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.worker.Cancellation;

/**
 * The provider for OpenAI's Chat Completions API and compatible servers: Ollama, vLLM, llama.cpp, OpenRouter, Gemini,
 * DeepSeek.
 *
 * @see <a href="https://platform.openai.com/docs/api-reference/chat">its reference</a>
 */
public final class ChatProvider extends HttpProvider {
    private final ServerQuirks quirks;

    /** @throws IllegalArgumentException when an option is unknown or has an invalid value */
    public ChatProvider(ProviderConfig config, ProviderKeys keys, Attachments attachments) {
        super(config, keys, attachments);
        this.quirks = ServerQuirks.of(config);
    }

    @Override
    protected ModelAnswer answer(ModelRequest request, Payment payment, ModelStream stream, Cancellation cancellation)
            throws ModelFailure, InterruptedException {
        var reader = new ChatReader(name(), quirks, request, attachments, stream);
        String body = ChatCompletionRequest.body(request, name(), quirks, attachments);
        http.post("/chat/completions", payment.bearer(), body, cancellation, reader);
        return reader.answer();
    }
}

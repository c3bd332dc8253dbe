package dev.parley.agents.model.anthropic;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelStream;
import dev.parley.agents.model.anthropic.MessagesRequest.Paused;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.HttpProvider;
import dev.parley.agents.model.wire.Payment;
import dev.parley.agents.model.wire.ProviderKeys;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.worker.Cancellation;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The provider for Anthropic's Messages API.
 *
 * @see <a href="https://platform.claude.com/docs/en/api/messages">its reference</a>
 */
public final class AnthropicProvider extends HttpProvider {
    private static final String VERSION = "anthropic-version";
    private static final String BETA = "anthropic-beta";
    private static final String BINDING = "thinking-binding-controls-2026-08-01";

    /** Requests per answer: a paused answer is continued up to four times. */
    private static final int MAX_ROUNDS = 5;

    private final AnthropicOptions switches;

    /** @throws IllegalArgumentException when an option is unknown or has an invalid value */
    public AnthropicProvider(ProviderConfig config, ProviderKeys keys, Attachments attachments) {
        super(config, keys, attachments);
        this.switches = AnthropicOptions.of(config);
    }

    @Override
    protected ModelAnswer answer(ModelRequest request, Payment payment, ModelStream stream, Cancellation cancellation)
            throws ModelFailure, InterruptedException {
        Map<String, String> headers = headers(request.agent(), payment.key());
        var reader = new MessagesReader(name(), stream);
        Paused paused = Paused.NOT;
        for (int round = 1; ; round++) {
            String body = MessagesRequest.body(request, name(), attachments, switches, paused);
            http.post("/messages", headers, body, cancellation, reader);
            if (!reader.endPaused() || round == MAX_ROUNDS) {
                return reader.answer(request.agent().model());
            }
            paused = reader.pausedAnswer();
        }
    }

    private Map<String, String> headers(Agent agent, @Nullable String key) {
        var set = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        set.putAll(config.headers());
        var headers = new TreeMap<String, String>();
        headers.put(VERSION, set.getOrDefault(VERSION, "2023-06-01"));
        if (key != null) {
            headers.put("x-api-key", key);
        }
        if (switches.bind(agent.model())) {
            headers.put(BETA, set.containsKey(BETA) ? set.get(BETA) + "," + BINDING : BINDING);
        }
        return headers;
    }
}

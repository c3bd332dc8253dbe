package dev.parley.agents.model.openai;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelStream;
import dev.parley.agents.model.wire.AnswerOptions;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.HttpProvider;
import dev.parley.agents.model.wire.Payment;
import dev.parley.agents.model.wire.ProviderKeys;
import dev.parley.agents.model.wire.ProviderOptions;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.worker.Cancellation;
import java.util.Set;

/**
 * The provider for OpenAI's Responses API.
 *
 * @see <a href="https://platform.openai.com/docs/api-reference/responses">its reference</a>
 */
public final class OpenAiProvider extends HttpProvider {

    /** @throws IllegalArgumentException when there are options: this kind has none */
    public OpenAiProvider(ProviderConfig config, ProviderKeys keys, Attachments attachments) {
        super(config, keys, attachments);
        ProviderOptions.of(config, Set.of());
    }

    /**
     * Validates options of this API.
     *
     * @throws IllegalArgumentException when the agent lacks a tool that its hosted tools need
     */
    public static void check(Agent agent) {
        try {
            for (VerbatimJson hosted : AnswerOptions.hostedTools(agent)) {
                ClientTool.findByDeclaration(hosted)
                        .map(ClientTool::tool)
                        .filter(tool -> !agent.mayUse(tool))
                        .ifPresent(tool -> {
                            throw new IllegalArgumentException(
                                    "hostedTools has '%s', which needs a tool '%s' of the agent's own to carry it out"
                                            .formatted(hosted.at("type").string(), tool));
                        });
            }
        } catch (ModelFailure e) {
            throw new IllegalArgumentException(e.detail(), e);
        }
    }

    @Override
    protected ModelAnswer answer(ModelRequest request, Payment payment, ModelStream stream, Cancellation cancellation)
            throws ModelFailure, InterruptedException {
        var reader = new ResponsesReader(name(), attachments, stream);
        String body = ResponsesRequest.body(request, name(), attachments);
        http.post("/responses", payment.bearer(), body, cancellation, reader);
        return reader.answer(request.agent().model());
    }
}

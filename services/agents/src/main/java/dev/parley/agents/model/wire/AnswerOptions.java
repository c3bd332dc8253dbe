package dev.parley.agents.model.wire;

import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.StopSequences;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ModelRequest;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of an agent that apply to any provider.
 *
 * @param hostedTools tools that the provider executes, in the provider's form
 * @param schema the JSON Schema of replies to users, or null
 * @param stops the stop sequences
 */
public record AnswerOptions(
        List<VerbatimJson> hostedTools, @Nullable String schema, List<String> stops) {
    public AnswerOptions {
        hostedTools = List.copyOf(hostedTools);
        stops = List.copyOf(stops);
    }

    /**
     * The options of a request's agent.
     *
     * @throws ModelFailure naming the option that is not valid JSON
     */
    public static AnswerOptions of(ModelRequest request) throws ModelFailure {
        Agent agent = request.agent();
        VerbatimJson schema = json(agent, "responseSchema");
        boolean form = request.purpose() == ModelRequest.Purpose.REPLY && schema.isPresent();
        return new AnswerOptions(
                hostedTools(agent),
                form ? schema.text() : null,
                StopSequences.read(agent.options().getOrDefault("stop", "")));
    }

    /**
     * The hosted tools of an agent.
     *
     * @throws ModelFailure when the option is not valid JSON
     */
    public static List<VerbatimJson> hostedTools(Agent agent) throws ModelFailure {
        VerbatimJson tools = json(agent, "hostedTools");
        return tools.text().startsWith("{") ? List.of(tools) : tools.items();
    }

    private static VerbatimJson json(Agent agent, String option) throws ModelFailure {
        String text = agent.options().getOrDefault(option, "");
        try {
            return text.isBlank() ? VerbatimJson.MISSING : VerbatimJson.parse(text);
        } catch (IOException e) { // no cause: it quotes the option, which may hold a credential
            throw new ModelFailure(
                    ErrorCategory.INVALID_REQUEST,
                    "the option '%s' of the agent '%s' is not valid JSON".formatted(option, agent.name()));
        }
    }
}

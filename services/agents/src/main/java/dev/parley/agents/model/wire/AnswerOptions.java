package dev.parley.agents.model.wire;

import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ModelRequest;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an agent's options want of an answer, with any provider.
 *
 * @param hostedTools tools that the provider itself knows, each in its own form
 * @param schema JSON Schema that an answer to a person follows, or null
 * @param stops texts that end an answer
 */
public record AnswerOptions(
        List<JsonText> hostedTools, @Nullable String schema, List<String> stops) {
    public AnswerOptions {
        hostedTools = List.copyOf(hostedTools);
        stops = List.copyOf(stops);
    }

    /** Those of a request's agent. @throws ModelFailure naming the option that is no JSON */
    public static AnswerOptions of(ModelRequest request) throws ModelFailure {
        Agent agent = request.agent();
        JsonText schema = json(agent, "responseSchema");
        boolean form = request.purpose() == ModelRequest.Purpose.REPLY && schema.isPresent();
        return new AnswerOptions(
                hostedTools(agent),
                form ? schema.text() : null,
                agent.options()
                        .getOrDefault("stop", "")
                        .lines()
                        .filter(line -> !line.isBlank())
                        .toList());
    }

    /** The tools of an agent that its provider knows. @throws ModelFailure when the option is no JSON */
    public static List<JsonText> hostedTools(Agent agent) throws ModelFailure {
        JsonText tools = json(agent, "hostedTools");
        return tools.text().startsWith("{") ? List.of(tools) : tools.items();
    }

    private static JsonText json(Agent agent, String option) throws ModelFailure {
        String text = agent.options().getOrDefault(option, "");
        try {
            return text.isBlank() ? JsonText.MISSING : JsonText.parse(text);
        } catch (IOException e) {
            throw new ModelFailure(
                    ErrorCategory.INVALID_REQUEST,
                    "the option '%s' of the agent '%s' is no JSON".formatted(option, agent.name()));
        }
    }
}

package dev.parley.domain.turn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The tools that an agent may use, as its model is told of them. */
public final class Toolset {
    private static final String MESSAGE_PARAMETERS = """
            {"type":"object","properties":{"text":{"type":"string","description":"What to say"}},\
            "required":["text"],"additionalProperties":false}""";

    private Toolset() {}

    /** All tools of an agent; {@code delegate} only where it has somebody to delegate to. */
    public static List<ToolSpec> of(Agent agent, Definitions definitions) {
        var tools = new ArrayList<ToolSpec>();
        definitions.tools().stream().filter(tool -> agent.mayUse(tool.name())).forEach(tools::add);
        if (agent.mayUse(ToolSpec.MESSAGE)) {
            tools.add(message());
        }
        var delegates = definitions.delegates(agent);
        if (agent.mayUse(ToolSpec.DELEGATE) && !delegates.isEmpty()) {
            tools.add(delegate(delegates));
        }
        return tools;
    }

    private static ToolSpec message() {
        return new ToolSpec(
                ToolSpec.MESSAGE,
                "Sends text to the person at once, before the turn ends. Use it to report progress.",
                MESSAGE_PARAMETERS,
                ToolEffect.IDEMPOTENT,
                Duration.ofMinutes(1));
    }

    private static ToolSpec delegate(List<Agent> delegates) {
        String names =
                delegates.stream().map(agent -> "\"" + agent.name() + "\"").collect(Collectors.joining(","));
        String known = delegates.stream()
                .map(agent -> agent.name() + (agent.description().isEmpty() ? "" : ": " + agent.description()))
                .collect(Collectors.joining("; "));
        return new ToolSpec(
                ToolSpec.DELEGATE,
                "Gives a task to another agent and returns its answer. Agents: " + known,
                """
                {"type":"object","properties":{"agent":{"type":"string","enum":[%s]},\
                "task":{"type":"string"},"fresh":{"type":"boolean",\
                "description":"true: the agent starts without memory of earlier tasks"}},\
                "required":["agent","task"],"additionalProperties":false}""".formatted(names),
                ToolEffect.IDEMPOTENT,
                Duration.ofMinutes(30));
    }
}

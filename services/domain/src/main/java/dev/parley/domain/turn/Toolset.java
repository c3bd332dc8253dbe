package dev.parley.domain.turn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tools that an agent may use, as its model is told of them. */
public final class Toolset {
    private static final ToolSpec MESSAGE = own(
            ToolSpec.MESSAGE,
            "Sends text to the person at once, before the turn ends. Use it to report progress.",
            """
            {"type":"object","properties":{"text":{"type":"string","description":"What to say"}},\
            "required":["text"],"additionalProperties":false}""");

    private static final ToolSpec TODO_WRITE = own(
            ToolSpec.TODO_WRITE,
            "Writes down what is to be done, in order, for work of several steps. Each call replaces the whole list. "
                    + "The person sees the active form of what is in progress.",
            """
            {"type":"object","properties":{"todos":{"type":"array","maxItems":%d,"items":{"type":"object","properties":{\
            "content":{"type":"string","minLength":1,"maxLength":%d,"description":"What is to be done: Write the report"},\
            "activeForm":{"type":"string","minLength":1,"maxLength":%2$d,"description":"While it is done: Writing the report"},\
            "status":{"type":"string","enum":["pending","in_progress","completed"],\
            "description":"At most one is in_progress"}},\
            "required":["content","activeForm","status"],"additionalProperties":false}}},\
            "required":["todos"],"additionalProperties":false}""".formatted(Todo.MOST, Todo.LONGEST));

    private static final ToolSpec TODO_READ = own(
            ToolSpec.TODO_READ,
            "Returns the list that todo_write wrote last.",
            "{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}");

    private Toolset() {}

    /** All tools of an agent; {@code delegate} only where it has somebody to delegate to. */
    public static List<ToolSpec> of(Agent agent, Definitions definitions) {
        var tools = new ArrayList<ToolSpec>();
        definitions.tools().stream().filter(tool -> agent.mayUse(tool.name())).forEach(tools::add);
        Stream.of(MESSAGE, TODO_WRITE, TODO_READ)
                .filter(tool -> agent.mayUse(tool.name()))
                .forEach(tools::add);
        var delegates = definitions.delegates(agent);
        if (agent.mayUse(ToolSpec.DELEGATE) && !delegates.isEmpty()) {
            tools.add(delegate(delegates));
        }
        return tools;
    }

    private static ToolSpec own(String name, String description, String parameters) {
        return new ToolSpec(name, description, parameters, ToolEffect.IDEMPOTENT, Duration.ofMinutes(1));
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

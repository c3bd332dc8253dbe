package dev.parley.workflows.diagram;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.definition.Task;
import dev.parley.workflows.definition.TaskBlock;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.definition.Workflow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Mermaid flowchart of a definition, optionally with the phases of a process's tasks. */
public final class Mermaid {
    private static final int MAX_LABEL_LENGTH = 60;
    private static final Map<Phase, String> STYLES = Map.of(
            Phase.RUNNING, "fill:#cfe8ff,stroke:#1769aa",
            Phase.WAITING, "fill:#fff3cd,stroke:#a87900",
            Phase.COMPLETED, "fill:#d7f5dd,stroke:#1e7a34",
            Phase.FAULTED, "fill:#fbdada,stroke:#b3261e",
            Phase.CANCELLED, "fill:#e6e6e6,stroke:#666666");

    private final StringBuilder text = new StringBuilder("flowchart TD\n");
    private final Map<String, String> ids = new HashMap<>();
    private final Map<String, Phase> phases;

    private Mermaid(Map<String, Phase> phases) {
        this.phases = phases;
    }

    public static String of(Workflow workflow) {
        return of(workflow, Map.of());
    }

    /**
     * The flowchart of a definition with the phases of a process's tasks.
     *
     * @param phases of tasks, by pointer; a task that has not started has none
     */
    public static String of(Workflow workflow, Map<String, Phase> phases) {
        return new Mermaid(phases).draw(workflow);
    }

    private String draw(Workflow workflow) {
        text.append("  start([start])\n  done([end])\n");
        block(workflow.body(), "start", "done", "  ");
        STYLES.forEach((phase, style) -> {
            List<String> nodes = phases.entrySet().stream()
                    .filter(entry -> entry.getValue() == phase && ids.containsKey(entry.getKey()))
                    .map(entry -> ids.getOrDefault(entry.getKey(), ""))
                    .sorted()
                    .toList();
            if (!nodes.isEmpty()) {
                String name = phase.specificationName();
                line("  ", "classDef " + name + " " + style);
                line("  ", "class " + String.join(",", nodes) + " " + name);
            }
        });
        return text.toString();
    }

    private String id(Task task) {
        return ids.computeIfAbsent(task.pointer(), _ -> "t" + ids.size());
    }

    /** Draws a list of tasks between two nodes. */
    private void block(TaskBlock block, String before, String after, String indent) {
        block.tasks().forEach(task -> node(task, indent));
        if (block.tasks().isEmpty()) {
            edge(before, after, "", indent);
            return;
        }
        edge(before, id(block.tasks().getFirst()), "", indent);
        for (int i = 0; i < block.tasks().size(); i++) {
            Task task = block.tasks().get(i);
            TaskKind kind = task.kind() instanceof TaskKind.Extended extended
                    ? extended.inner().kind()
                    : task.kind();
            if (kind instanceof TaskKind.Switch(List<TaskKind.Case> cases)) {
                cases.forEach(choice -> follow(block, task, choice.then(), choice.name(), after, indent));
                if (cases.stream().noneMatch(choice -> choice.when() == null)) {
                    follow(block, task, task.then(), "else", after, indent);
                }
            } else {
                follow(block, task, task.then(), "", after, indent);
            }
        }
    }

    private void follow(TaskBlock block, Task task, String then, String label, String after, String indent) {
        int index = block.tasks().indexOf(task);
        String to = switch (then) {
            case Task.CONTINUE ->
                index + 1 < block.tasks().size() ? id(block.tasks().get(index + 1)) : after;
            case Task.EXIT -> after;
            case Task.END -> "done";
            default -> id(block.tasks().get(block.indexOf(then)));
        };
        edge(id(task), to, label, indent);
    }

    private void edge(String from, String to, String label, String indent) {
        line(indent, from + " -->" + (label.isEmpty() ? "" : "|\"" + escape(label) + "\"|") + " " + to);
    }

    private void node(Task task, String indent) {
        String id = id(task);
        switch (task.kind()) {
            case TaskKind.Do(TaskBlock body) -> group(task, body, "", indent);
            case TaskKind.For loop -> group(task, loop.body(), "for each " + loop.each(), indent);
            case TaskKind.Try attempt -> attempt(task, attempt, indent);
            case TaskKind.Fork fork -> fork(task, fork, indent);
            case TaskKind.Switch _ -> line(indent, id + "{\"" + label(task) + "\"}");
            case TaskKind.Ask _ -> line(indent, id + "[/\"" + label(task) + "\"/]");
            case TaskKind.Wait _, TaskKind.Listen _, TaskKind.Subscribe _ ->
                line(indent, id + "([\"" + label(task) + "\"])");
            default -> line(indent, id + "[\"" + label(task) + "\"]");
        }
    }

    private void attempt(Task task, TaskKind.Try attempt, String indent) {
        group(task, attempt.body(), "try", indent);
        if (attempt.handler().body() != null) {
            String id = id(task);
            String handler = id + "c";
            line(indent, handler + "{{\"catch " + escape(attempt.handler().as()) + "\"}}");
            line(indent, id + " -.-> " + handler);
            block(attempt.handler().body(), handler, id + "e", indent);
            line(indent, id + "e(( ))");
        }
    }

    private void fork(Task task, TaskKind.Fork fork, String indent) {
        String suffix = fork.compete() ? " (the first wins)" : " (side by side)";
        line(indent, "subgraph " + id(task) + "[\"" + escape(task.name()) + suffix + "\"]");
        fork.branches().forEach(branch -> node(branch, indent + "  "));
        line(indent, "end");
    }

    /** A task with inner tasks, as a subgraph. */
    private void group(Task task, TaskBlock body, String kind, String indent) {
        String id = id(task);
        String name = escape(task.name()) + (kind.isEmpty() ? "" : " (" + escape(kind) + ")");
        line(indent, "subgraph " + id + "[\"" + name + "\"]");
        String start = id + "b";
        String end = id + "x";
        line(indent, "  " + start + "(( ))");
        line(indent, "  " + end + "(( ))");
        block(body, start, end, indent + "  ");
        line(indent, "end");
    }

    private void line(String indent, String line) {
        text.append(indent).append(line).append('\n');
    }

    private static String label(Task task) {
        return escape(task.name()) + "<br/><small>" + escape(task.kind().type()) + "</small>";
    }

    /** Escapes untrusted names, so that they contain no markup. */
    private static String escape(String name) {
        String brief = name.length() > MAX_LABEL_LENGTH ? name.substring(0, MAX_LABEL_LENGTH - 1) + "…" : name;
        var safe = new StringBuilder();
        brief.codePoints().forEach(point -> {
            boolean plain = Character.isLetterOrDigit(point) || " _-.,:()…".indexOf(point) >= 0;
            safe.append(plain ? Character.toString(point) : "#" + point + ";");
        });
        return safe.toString();
    }
}

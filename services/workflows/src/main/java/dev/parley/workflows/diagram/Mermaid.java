package dev.parley.workflows.diagram;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.definition.Block;
import dev.parley.workflows.definition.Task;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.definition.Workflow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A definition as a flowchart of Mermaid, with how far a process is in it where there is one. */
public final class Mermaid {
    private static final int LONGEST_LABEL = 60;
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

    /** A definition. */
    public static String of(Workflow workflow) {
        return of(workflow, Map.of());
    }

    /**
     * A definition, and how far a process is in it.
     *
     * @param phases of tasks, by pointer; a task that has not begun has none
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
                String name = phase.specified();
                text.append("  classDef ")
                        .append(name)
                        .append(' ')
                        .append(style)
                        .append('\n');
                text.append("  class ")
                        .append(String.join(",", nodes))
                        .append(' ')
                        .append(name)
                        .append('\n');
            }
        });
        return text.toString();
    }

    private String id(Task task) {
        return ids.computeIfAbsent(task.pointer(), _ -> "t" + ids.size());
    }

    /** Draws a list of tasks between two nodes. */
    private void block(Block block, String before, String after, String indent) {
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
                cases.forEach(one -> follow(block, task, one.then(), one.name(), after, indent));
                if (cases.stream().noneMatch(one -> one.when() == null)) {
                    follow(block, task, task.then(), "else", after, indent);
                }
            } else {
                follow(block, task, task.then(), "", after, indent);
            }
        }
    }

    private void follow(Block block, Task task, String then, String label, String after, String indent) {
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
        text.append(indent).append(from).append(" -->");
        if (!label.isEmpty()) {
            text.append("|\"").append(escaped(label)).append("\"|");
        }
        text.append(' ').append(to).append('\n');
    }

    private void node(Task task, String indent) {
        String id = id(task);
        switch (task.kind()) {
            case TaskKind.Do(Block body) -> group(task, body, "", indent);
            case TaskKind.For loop -> group(task, loop.body(), "for each " + loop.each(), indent);
            case TaskKind.Try attempt -> {
                group(task, attempt.body(), "try", indent);
                if (attempt.handler().body() != null) {
                    String handler = id + "c";
                    text.append(indent)
                            .append(handler)
                            .append("{{\"")
                            .append("catch ")
                            .append(escaped(attempt.handler().as()))
                            .append("\"}}\n");
                    text.append(indent)
                            .append(id)
                            .append(" -.-> ")
                            .append(handler)
                            .append('\n');
                    block(attempt.handler().body(), handler, id + "e", indent);
                    text.append(indent).append(id).append("e(( ))\n");
                }
            }
            case TaskKind.Fork(List<Task> branches, boolean compete) -> {
                text.append(indent)
                        .append("subgraph ")
                        .append(id)
                        .append("[\"")
                        .append(escaped(task.name()))
                        .append(compete ? " (the first wins)" : " (side by side)")
                        .append("\"]\n");
                branches.forEach(branch -> node(branch, indent + "  "));
                text.append(indent).append("end\n");
            }
            case TaskKind.Switch _ ->
                text.append(indent).append(id).append("{\"").append(label(task)).append("\"}\n");
            case TaskKind.Ask _ ->
                text.append(indent)
                        .append(id)
                        .append("[/\"")
                        .append(label(task))
                        .append("\"/]\n");
            case TaskKind.Wait _, TaskKind.Listen _, TaskKind.Subscribe _ ->
                text.append(indent)
                        .append(id)
                        .append("([\"")
                        .append(label(task))
                        .append("\"])\n");
            default ->
                text.append(indent).append(id).append("[\"").append(label(task)).append("\"]\n");
        }
    }

    /** A task with tasks in it. */
    private void group(Task task, Block body, String what, String indent) {
        String id = id(task);
        text.append(indent).append("subgraph ").append(id).append("[\"").append(escaped(task.name()));
        if (!what.isEmpty()) {
            text.append(" (").append(escaped(what)).append(')');
        }
        text.append("\"]\n");
        String begin = id + "b";
        String end = id + "x";
        text.append(indent).append("  ").append(begin).append("(( ))\n");
        text.append(indent).append("  ").append(end).append("(( ))\n");
        block(body, begin, end, indent + "  ");
        text.append(indent).append("end\n");
    }

    private static String label(Task task) {
        return escaped(task.name()) + "<br/><small>" + escaped(task.kind().type()) + "</small>";
    }

    /** Names are what their author likes: nothing in them is markup. */
    private static String escaped(String name) {
        String brief = name.length() > LONGEST_LABEL ? name.substring(0, LONGEST_LABEL - 1) + "…" : name;
        var safe = new StringBuilder();
        brief.codePoints().forEach(point -> {
            boolean plain = Character.isLetterOrDigit(point) || " _-.,:()…".indexOf(point) >= 0;
            safe.append(plain ? Character.toString(point) : "#" + point + ";");
        });
        return safe.toString();
    }
}

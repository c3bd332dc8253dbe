package dev.parley.workflows.definition;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds loops of {@code then} without a waiting task, on which a process may spin. */
final class LoopCheck {
    private LoopCheck() {}

    /** The loops: the index of the last task, and the name of the task that it returns to. */
    static Map<Integer, String> in(TaskBlock block) {
        var found = new LinkedHashMap<Integer, String>();
        List<Task> tasks = block.tasks();
        for (int from = 0; from < tasks.size(); from++) {
            for (String then : exits(tasks.get(from))) {
                int to = block.indexOf(then);
                if (to >= 0
                        && to <= from
                        && tasks.subList(to, from + 1).stream().noneMatch(LoopCheck::waits)) {
                    found.put(from, then);
                }
            }
        }
        return found;
    }

    private static List<String> exits(Task task) {
        var exits = new ArrayList<String>();
        exits.add(task.then());
        if (inner(task) instanceof TaskKind.Switch(List<TaskKind.Case> cases)) {
            cases.forEach(choice -> exits.add(choice.then()));
        }
        return exits;
    }

    private static TaskKind inner(Task task) {
        return task.kind() instanceof TaskKind.Extended extended
                ? extended.inner().kind()
                : task.kind();
    }

    private static boolean waits(Task task) {
        return switch (inner(task)) {
            case TaskKind.Set _, TaskKind.Switch _, TaskKind.Assert _, TaskKind.Emit _, TaskKind.Raise _ -> false;
            case TaskKind.Do(TaskBlock body) -> body.tasks().stream().anyMatch(LoopCheck::waits);
            default -> true;
        };
    }
}

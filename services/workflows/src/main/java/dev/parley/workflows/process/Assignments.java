package dev.parley.workflows.process;

import dev.parley.domain.workflow.HumanTask.Assignee;
import dev.parley.workflows.json.Json;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Assignees of a human task: people in {@code assigneeId}, roles in {@code roleId}, each one value or a list. */
final class Assignments {
    /** Category of tasks without one. */
    static final String EVERY = "(all)";

    private static final String REASON = "workflow";
    private static final int MAX_GROUP_LENGTH = 126;

    private Assignments() {}

    static List<Assignee> of(Json assignment, Instant now) {
        String category = assignment.get("categoryCode").text().orElse(EVERY);
        String reason = assignment.get("reasonCode").text().orElse(REASON);
        var assignees = new ArrayList<Assignee>();
        names(assignment.get("assigneeId")).forEach(id -> assignees.add(new Assignee(id, category, reason, now)));
        names(assignment.get("roleId"))
                .forEach(role -> assignees.add(new Assignee(Assignee.role(role), category, reason, now)));
        return assignees;
    }

    private static List<String> names(Json value) {
        if (value instanceof Json.Arr) {
            return value.list().stream().map(Json::display).toList();
        }
        return value.isNull() ? List.of() : List.of(value.display());
    }

    /** Priority of a task; tasks with a higher priority are listed first. */
    static int priority(Json question) {
        return question.get("priority") instanceof Json.Num(BigDecimal priority) ? priority.intValue() : 0;
    }

    /** The group of tasks of a process that are claimed together, or null; at most {@value #MAX_GROUP_LENGTH} characters. */
    static @Nullable String lockGroup(Json question) {
        Json group = question.get("lockGroup");
        String text = group.display();
        return group.isNull() || text.isBlank() ? null : text.substring(0, Math.min(text.length(), MAX_GROUP_LENGTH));
    }
}

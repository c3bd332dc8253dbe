package dev.parley.workflows.process;

import dev.parley.domain.workflow.HumanTask.Assignee;
import dev.parley.workflows.json.Json;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Assignees of a human task: people in {@code assigneeId}, roles in {@code roleId}, each one value or a list. */
final class Assignments {
    /** Category of tasks without one. */
    static final String EVERY = "(all)";

    private static final String REASON = "workflow";

    /** Characters that the columns of tasks take; longer texts, which expressions can give, are cut. */
    private static final int MAX_LENGTH = 126;

    private Assignments() {}

    static List<Assignee> of(Json assignment, Instant now) {
        String category = clip(assignment.get("categoryCode").text().orElse(EVERY));
        String reason = clip(assignment.get("reasonCode").text().orElse(REASON));
        return Stream.concat(
                        names(assignment.get("assigneeId")).stream(),
                        names(assignment.get("roleId")).stream().map(Assignee::role))
                .map(id -> new Assignee(clip(id), category, reason, now))
                .toList();
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

    /** The group of tasks of a process that are claimed together, or null. */
    static @Nullable String lockGroup(Json question) {
        Json group = question.get("lockGroup");
        String text = group.display();
        return group.isNull() || text.isBlank() ? null : clip(text);
    }

    private static String clip(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH);
    }
}

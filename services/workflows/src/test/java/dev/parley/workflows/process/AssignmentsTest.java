package dev.parley.workflows.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.workflow.HumanTask.Assignee;
import dev.parley.workflows.json.JsonText;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AssignmentsTest {
    private static final Instant NOW = Instant.parse("2026-11-28T06:00:00Z");

    @Test
    void peopleAndRolesAreAssignees() {
        assertEquals(
                List.of(
                        new Assignee("ann", "leave", "workflow", NOW),
                        new Assignee("bob", "leave", "workflow", NOW),
                        new Assignee(Assignee.role("admin"), "leave", "workflow", NOW)),
                assignees("{'assigneeId': ['ann', 'bob'], 'roleId': 'admin', 'categoryCode': 'leave'}"));
    }

    @Test
    void truncatesTextsToTheColumnLength() {
        String cut = "x".repeat(126);

        assertEquals(
                List.of(new Assignee(cut, cut, cut, NOW)),
                assignees("{'assigneeId': '%1$s', 'categoryCode': '%1$s', 'reasonCode': '%1$s'}"
                        .formatted("x".repeat(500))));
    }

    private static List<Assignee> assignees(String json) {
        return Assignments.of(JsonText.read(json.replace('\'', '"')), NOW);
    }
}

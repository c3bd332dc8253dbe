package dev.parley.domain.workflow;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;

/**
 * Schedules, which start processes of workflows: one per workflow name of a project, for its newest version. Commands
 * carry a revision, which grows with each change of the versions: the highest one wins, in whichever order they arrive.
 */
public final class WorkflowSchedule {
    private static final String PREFIX = "schedule:";

    private WorkflowSchedule() {}

    /**
     * The key of a workflow's schedule.
     *
     * @param project key of the project in which its processes run
     */
    public static RecordKey key(String project, String namespace, String name) {
        return new RecordKey(project, PREFIX + Ids.of("schedule", namespace, name));
    }

    /** Whether this is the key of a schedule. */
    public static boolean isKey(RecordKey key) {
        return key.session().startsWith(PREFIX);
    }
}

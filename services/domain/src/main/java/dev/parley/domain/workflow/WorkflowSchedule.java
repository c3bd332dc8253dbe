package dev.parley.domain.workflow;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;

/** What starts the processes of a workflow by itself: one for each name in a project, for its newest version. */
public final class WorkflowSchedule {
    private static final String PREFIX = "schedule:";

    private WorkflowSchedule() {}

    /** The key of the schedule of a workflow. @param project key of the project in which its processes run */
    public static RecordKey key(String project, String namespace, String name) {
        return new RecordKey(project, PREFIX + Ids.of("schedule", namespace, name));
    }

    /** Whether a key is that of a schedule. */
    public static boolean isKey(RecordKey key) {
        return key.session().startsWith(PREFIX);
    }
}

package dev.parley.workflows.api;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Caller;
import dev.parley.platform.personal.PersonalArchive;
import dev.parley.platform.personal.PersonalData;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Export of a user's personal data: processes they started and tasks they answered, in projects that they can read. */
@Singleton
final class WorkflowData implements PersonalData {
    /** Of each kind, the newest. */
    private static final int MAX_ROWS = 10_000;

    private final ProcessQueries processes;

    WorkflowData(ProcessQueries processes) {
        this.processes = processes;
    }

    @Override
    public String part() {
        return "workflows";
    }

    @Override
    public void write(Caller caller, PersonalArchive archive) throws IOException {
        write(caller, archive, "processes", processes.startedBy(caller.tenant(), caller.user(), MAX_ROWS));
        write(caller, archive, "tasks", processes.answeredBy(caller.tenant(), caller.user(), MAX_ROWS));
    }

    private static void write(Caller caller, PersonalArchive archive, String name, List<Found> rows)
            throws IOException {
        try (OutputStream entry = archive.entry("workflows/" + name + ".ndjson")) {
            for (Found row : rows) {
                if (caller.may(Capability.WORKFLOW_READ, row.projectKey())) {
                    entry.write((row.json() + "\n").getBytes(StandardCharsets.UTF_8));
                    archive.count(name, 1);
                }
            }
        }
    }
}

package dev.parley.tools.files;

import dev.parley.platform.service.Recurring;
import java.io.IOException;
import java.time.Duration;

/** Cleans up workspaces every 6 h: old snapshots and unreferenced blobs. Every instance runs it; it is idempotent. */
public final class WorkspaceMaintenance extends Recurring {
    private static final Duration INITIAL_DELAY = Duration.ofMinutes(1);
    private static final Duration INTERVAL = Duration.ofHours(6);
    private static final Duration RETRY_DELAY = Duration.ofMinutes(1);

    private final Workspaces workspaces;

    public WorkspaceMaintenance(Workspaces workspaces) {
        super("workspaces", INITIAL_DELAY, "workspaces cannot be cleaned up");
        this.workspaces = workspaces;
    }

    @Override
    protected void pass() throws IOException {
        workspaces.cleanUp();
    }

    @Override
    protected Duration rest(boolean failed) {
        return failed ? RETRY_DELAY : INTERVAL;
    }
}

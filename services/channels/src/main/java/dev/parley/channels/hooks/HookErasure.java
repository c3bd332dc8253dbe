package dev.parley.channels.hooks;

import dev.parley.domain.access.AccessRecord.Project;

/** Deletes the webhooks of erased projects. */
public final class HookErasure {
    private final HookRows rows;

    HookErasure(HookRows rows) {
        this.rows = rows;
    }

    /**
     * Runs within a transaction of the project's host.
     *
     * @return the number of webhooks; their deliveries are deleted as well
     */
    public long erase(Project project) {
        return rows.deleteOfProject(project.host(), project.project());
    }
}

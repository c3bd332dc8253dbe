package dev.parley.channels.hooks;

import dev.parley.domain.access.AccessRecord.Project;

/** Removes what a project that is erased has of webhooks. */
public final class HookErasure {
    private final HookRows rows;

    HookErasure(HookRows rows) {
        this.rows = rows;
    }

    /** Within a transaction of its host. @return how many webhooks; what waits for them goes, too */
    public long erase(Project project) {
        return rows.deleteOfProject(project.host(), project.project());
    }
}

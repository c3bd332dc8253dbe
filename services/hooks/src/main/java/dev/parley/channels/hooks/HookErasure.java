package dev.parley.channels.hooks;

import dev.parley.channels.contract.ErasureTarget;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;

/** Deletes the webhooks of erased projects. */
final class HookErasure implements ErasureTarget {
    private final Database database;
    private final HookRows rows;

    HookErasure(Database database, HookRows rows) {
        this.database = database;
        this.rows = rows;
    }

    /** @return the number of webhooks; their deliveries are deleted as well */
    @Override
    public long erase(Project project) {
        return database.in(Tenant.of(project.host()), () -> rows.deleteOfProject(project.host(), project.project()));
    }
}

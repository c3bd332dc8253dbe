package dev.parley.workflows;

import dev.parley.platform.database.ServiceSchema;
import javax.sql.DataSource;

/** The Postgres schema {@value #NAME} of definitions, processes, tasks and worklists, with its own migrations. */
public final class WorkflowsSchema {
    /** The schema of this service's tables. */
    public static final String NAME = "workflows";

    private static final ServiceSchema SCHEMA = new ServiceSchema(NAME, 0x5041_5253_4d49_4707L);

    private WorkflowsSchema() {}

    /**
     * Brings the schema up to date, as {@link ServiceSchema#migrate} says; {@code appRole} is the role that services
     * use.
     */
    public static void migrate(DataSource owner, String appRole) {
        SCHEMA.migrate(owner, appRole);
    }
}

package dev.parley.tools;

import dev.parley.platform.database.ServiceSchema;
import javax.sql.DataSource;

/** The Postgres schema {@value #NAME}: the ledger of tool calls and the workspaces. */
public final class ToolsSchema {
    /** The schema of all tables of this service. */
    public static final String NAME = "tools";

    private static final ServiceSchema SCHEMA = new ServiceSchema(NAME, 0x5041_5253_4d49_4702L);

    private ToolsSchema() {}

    /**
     * Migrates the schema with {@link ServiceSchema#migrate}.
     *
     * @param appRole the database role of the services
     */
    public static void migrate(DataSource owner, String appRole) {
        SCHEMA.migrate(owner, appRole);
    }
}

package dev.parley.agents;

import dev.parley.platform.database.ServiceSchema;
import javax.sql.DataSource;

/** The Postgres schema {@value #NAME}: usage and reservations of model calls. */
public final class AgentsSchema {
    /** The schema of all tables of this service. */
    public static final String NAME = "agents";

    private static final ServiceSchema SCHEMA = new ServiceSchema(NAME, 0x5041_5253_4d49_4705L);

    private AgentsSchema() {}

    /**
     * Migrates the schema with {@link ServiceSchema#migrate}.
     *
     * @param appRole the database role of the services
     */
    public static void migrate(DataSource owner, String appRole) {
        SCHEMA.migrate(owner, appRole);
    }
}

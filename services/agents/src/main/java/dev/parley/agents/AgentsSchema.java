package dev.parley.agents;

import dev.parley.platform.database.ServiceSchema;
import javax.sql.DataSource;

/** The Postgres schema {@value #NAME}: what model calls have used, by migrations of its own. */
public final class AgentsSchema {
    /** The schema that all tables of this service stand in. */
    public static final String NAME = "agents";

    private static final ServiceSchema SCHEMA = new ServiceSchema(NAME, 0x5041_5253_4d49_4705L);

    private AgentsSchema() {}

    /** Brings the schema up to date, as {@link ServiceSchema#migrate} says; {@code appRole} is the role that services use. */
    public static void migrate(DataSource owner, String appRole) {
        SCHEMA.migrate(owner, appRole);
    }
}

package dev.parley.sessions;

import dev.parley.platform.database.ServiceSchema;
import javax.sql.DataSource;

/** The Postgres schema {@value #NAME} and its migrations. */
public final class SessionsSchema {
    public static final String NAME = "sessions";

    private static final ServiceSchema SCHEMA = new ServiceSchema(NAME, 0x5041_5253_4d49_4701L);

    private SessionsSchema() {}

    /** Migrates the schema, see {@link ServiceSchema#migrate}. {@code appRole} is the database role of the services. */
    public static void migrate(DataSource owner, String appRole) {
        SCHEMA.migrate(owner, appRole);
    }
}

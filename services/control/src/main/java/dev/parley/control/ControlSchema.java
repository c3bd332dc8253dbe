package dev.parley.control;

import dev.parley.platform.database.ServiceSchema;
import javax.sql.DataSource;

/** The Postgres schema {@value #NAME} and the migrations of the control service. */
public final class ControlSchema {
    /** The name of the schema. */
    public static final String NAME = "control";

    private static final ServiceSchema SCHEMA = new ServiceSchema(NAME, 0x5041_5253_4d49_4704L);

    private ControlSchema() {}

    /**
     * Migrates the schema, see {@link ServiceSchema#migrate}.
     *
     * @param appRole the Postgres role of the application
     */
    public static void migrate(DataSource owner, String appRole) {
        SCHEMA.migrate(owner, appRole);
    }
}

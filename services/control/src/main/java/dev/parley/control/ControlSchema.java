package dev.parley.control;

import dev.parley.platform.database.ServiceSchema;
import javax.sql.DataSource;

/** The Postgres schema {@value #NAME}: the records of the control service, by migrations of its own. */
public final class ControlSchema {
    /** The schema that all tables of this service stand in. */
    public static final String NAME = "control";

    private static final ServiceSchema SCHEMA = new ServiceSchema(NAME, 0x5041_5253_4d49_4704L);

    private ControlSchema() {}

    /** Brings the schema up to date, as {@link ServiceSchema#migrate} says; {@code appRole} is the role that services use. */
    public static void migrate(DataSource owner, String appRole) {
        SCHEMA.migrate(owner, appRole);
    }
}

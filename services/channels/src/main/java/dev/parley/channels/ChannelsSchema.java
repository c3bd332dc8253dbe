package dev.parley.channels;

import dev.parley.platform.database.ServiceSchema;
import javax.sql.DataSource;

/** The Postgres schema {@value #NAME}: the ledgers of the channels service, with its own migrations. */
public final class ChannelsSchema {
    /** The schema of all tables of this service. */
    public static final String NAME = "channels";

    private static final ServiceSchema SCHEMA = new ServiceSchema(NAME, 0x5041_5253_4d49_4703L);

    private ChannelsSchema() {}

    /**
     * Brings the schema up to date, as {@link ServiceSchema#migrate} says; {@code appRole} is the role that services
     * use.
     */
    public static void migrate(DataSource owner, String appRole) {
        SCHEMA.migrate(owner, appRole);
    }
}

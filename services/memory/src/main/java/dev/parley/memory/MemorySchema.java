package dev.parley.memory;

import dev.parley.memory.view.DeferredIndexes;
import dev.parley.platform.database.ServiceSchema;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The Postgres schema {@value #NAME} and its migrations. */
public final class MemorySchema {
    public static final String NAME = "memory";

    /** Advisory lock, held exclusively during a replay: projectors pause meanwhile, and the tables are incomplete. */
    public static final long REPLAY_LOCK = 0x5041_5253_4d52_504cL;

    private static final ServiceSchema SCHEMA = new ServiceSchema(NAME, 0x5041_5253_4d49_4706L);

    private MemorySchema() {}

    /**
     * Migrates the schema, see {@link ServiceSchema#migrate}. {@code appRole} is the database role of the services.
     * After an interrupted replay, the tables are completed in the background.
     */
    public static void migrate(DataSource owner, String appRole) {
        SCHEMA.migrate(owner, appRole);
        try {
            DeferredIndexes.restoreInBackground(owner);
        } catch (SQLException e) {
            throw new IllegalStateException("the tables of memory cannot be read: " + e.getMessage(), e);
        }
    }
}

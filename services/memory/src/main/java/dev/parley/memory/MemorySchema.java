package dev.parley.memory;

import dev.parley.memory.view.DeferredIndexes;
import dev.parley.platform.database.ServiceSchema;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The Postgres schema {@value #NAME}: what the memory service keeps, by migrations of its own. */
public final class MemorySchema {
    /** The schema that all tables of this service stand in. */
    public static final String NAME = "memory";

    /** Held by whoever makes the tables anew; who else projects, or trusts that nothing is there, stands aside. */
    public static final long REPLAY_LOCK = 0x5041_5253_4d52_504cL;

    private static final ServiceSchema SCHEMA = new ServiceSchema(NAME, 0x5041_5253_4d49_4706L);

    private MemorySchema() {}

    /**
     * Brings the schema up to date, as {@link ServiceSchema#migrate} says; {@code appRole} is the role that services use. What a
     * killed replay has left to be made again is made beside everything else.
     */
    public static void migrate(DataSource owner, String appRole) {
        SCHEMA.migrate(owner, appRole);
        try {
            DeferredIndexes.settleBeside(owner);
        } catch (SQLException e) {
            throw new IllegalStateException("the tables of memory cannot be read: " + e.getMessage(), e);
        }
    }
}

package dev.parley.control.definitions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.control.ControlSchema;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.testkit.Repositories;
import dev.parley.platform.testkit.TestInfra;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Agents in a database whose collation ignores case. */
final class AgentRowsIT {
    private static final UUID HOST = AccessDirectory.DEFAULT_HOST;

    @Test
    void deletedAgentsAreInTheOrderOfTheirCursors() {
        // Given
        var created = TestInfra.newDatabase();
        ControlSchema.migrate(Databases.single(created.owner()), created.app().user());
        var owner = new Sql(Database.of(Databases.single(created.owner()))).as(Tenant.ALL);
        owner.update("DROP VIEW control.agent_definition_v");
        owner.update(
                "ALTER TABLE control.agent_definition_t ALTER COLUMN name TYPE varchar(126) COLLATE \"und-x-icu\"");
        owner.update("""
                INSERT INTO control.agent_definition_t (host_id, agent_def_id, name, body, active, update_user)
                SELECT ?, gen_random_uuid(), name, '{}', false, 'test'
                FROM unnest(ARRAY['c', 'B', 'a']) AS name
                """, HOST);

        try (var repositories = Repositories.of(created.app())) {
            AgentRows rows = repositories.bean(AgentRows.class);

            // When
            List<AgentRow> deleted = repositories.database().in(Tenant.of(HOST), () -> rows.own(HOST, null, false));

            // Then
            assertEquals(
                    List.of("B", "a", "c"),
                    deleted.stream().map(AgentRow::name).toList(),
                    "the order in which names follow a cursor");
        }
    }
}

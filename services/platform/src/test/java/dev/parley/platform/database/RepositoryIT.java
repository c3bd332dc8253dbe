package dev.parley.platform.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.testkit.Plans;
import dev.parley.platform.testkit.Repositories;
import dev.parley.platform.testkit.TestInfra;
import io.micronaut.context.ApplicationContext;
import io.micronaut.data.exceptions.DataAccessException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Repositories of Micronaut Data see the rows of their transaction's tenant; tenants share two connections. */
class RepositoryIT {
    private static final UUID ONE = UUID.fromString("00000000-0000-0000-0000-000000000001");
    private static final UUID OTHER = UUID.fromString("00000000-0000-0000-0000-000000000002");

    private static DatabaseLogin login;
    private static ApplicationContext context;
    private static Database database;
    private static Notes notes;

    @BeforeAll
    static void start() {
        var created = TestInfra.newDatabase();
        new ServiceSchema("notes", 1)
                .migrate(Databases.single(created.owner()), created.app().user());
        login = created.app();
        context = ApplicationContext.builder()
                .properties(Databases.pool(created.app()))
                .properties(Map.of("datasources.default.maximum-pool-size", 2))
                .start();
        database = context.getBean(Database.class);
        notes = context.getBean(Notes.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    @Tag("I112")
    void transactionSeesRowsOfItsTenantOnly() {
        assertEquals(1, database.in(Tenant.of(ONE), notes::count));
        assertEquals(0, database.in(Tenant.of(OTHER), notes::count));
        assertEquals(0, database.in(Tenant.NONE, notes::count));
        assertEquals(1, database.in(Tenant.ALL, notes::count));
    }

    @Test
    @Tag("I112")
    void repositorySeesAndWritesNothingOutsideATransaction() {
        database.in(Tenant.of(ONE), notes::count);

        assertEquals(List.of(), notes.findAll());
        var refused = assertThrows(DataAccessException.class, () -> notes.save(new Note(ONE, "nobody's")));
        assertTrue(refused.getMessage().contains("row-level security"), refused.getMessage());
    }

    @Test
    @Tag("I112")
    void writeForAnotherTenantFailsAndRollsBackTheTransaction() {
        var refused = assertThrows(
                FailedException.class,
                () -> database.in(
                        Tenant.of(ONE),
                        () -> List.of(notes.save(new Note(ONE, "second")), notes.save(new Note(OTHER, "another's")))));

        assertEquals("42501", refused.state());
        assertEquals(1, database.in(Tenant.ALL, notes::count));
    }

    @Test
    @Tag("I112")
    void nestedTransactionHasItsOwnTenant() {
        long inner = database.in(Tenant.of(OTHER), () -> {
            long count = database.in(Tenant.of(ONE), notes::count);
            assertEquals(0, notes.count());
            return count;
        });

        assertEquals(1, inner);
    }

    @Test
    @Tag("I112")
    void readingTransactionIsRepeatableAndRejectsWrites() {
        assertEquals(1, database.<Long>readingIn(Tenant.of(ONE), _ -> notes.count()));
        assertEquals(0, database.<Long>readingIn(Tenant.of(OTHER), _ -> notes.count()));
        database.readingIn(
                Tenant.NONE, transaction -> assertSetting("repeatable read", "transaction_isolation", transaction));
        database.readingIn(Tenant.NONE, transaction -> assertSetting("5s", "statement_timeout", transaction));

        var refused = assertThrows(
                FailedException.class,
                () -> database.readingIn(Tenant.of(ONE), _ -> notes.save(new Note(ONE, "second"))));
        assertEquals("25006", refused.state());
    }

    @Test
    void recordsThePlanOfARepositoryQuery() {
        var plans = new Plans(Databases.single(login)::getConnection);
        try (var recorded = Repositories.of(login, plans)) {
            assertEquals(1, recorded.database().in(Tenant.of(ONE), recorded.bean(Notes.class)::count));
        }
        assertTrue(plans.last("note_t").readsAll("note_t"), plans.last("note_t").text());
    }

    @Test
    void transactionHasAStatementTimeoutOfFiveSeconds() {
        database.in(Tenant.NONE, transaction -> assertSetting("5s", "statement_timeout", transaction));
    }

    private static boolean assertSetting(String value, String setting, Transaction transaction) {
        return transaction.query("SHOW " + setting, row -> {
            row.next();
            assertEquals(value, row.getString(1));
            return true;
        });
    }
}

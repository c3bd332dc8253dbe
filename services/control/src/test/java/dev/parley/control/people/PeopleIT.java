package dev.parley.control.people;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.control.Crowded;
import dev.parley.control.audit.Audit;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.testkit.Plans.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Queries for users among many others. */
final class PeopleIT {
    private static Crowded crowd;
    private static People people;

    @BeforeAll
    static void fill() {
        crowd = new Crowded();
        people = new People(
                crowd.app(),
                crowd.rows(PersonRows.class),
                crowd.rows(SignInAccountRows.class),
                crowd.rows(IdentityRows.class),
                crowd.published(),
                crowd.rows(Audit.class));
    }

    private static UUID signingIn(String name) {
        return people.findAccount(name).orElseThrow().user();
    }

    private static Plan planOfSignIn() {
        return crowd.plans().last("password_hash");
    }

    @Test
    @Tag("I9")
    void signInQueriesUseIndexes() {
        // When
        assertEquals(Crowded.person(777), signingIn("PERSON-777"));
        assertEquals(Crowded.person(19_999), signingIn("person-19999@Example.org"));

        // Then
        Plan plan = planOfSignIn();
        assertTrue(plan.uses("idx_users_username"), plan.text());
        assertTrue(plan.uses("idx_users_email") || plan.uses("idx_users_entered_email"), plan.text());
        assertFalse(plan.readsAll("user_t") || plan.readsAll("user_host_t"), plan.text());
    }

    @Test
    @Tag("I9")
    void signInScansTheTableWithoutItsIndex() {
        // Given
        crowd.run("DROP INDEX control.idx_users_email");
        crowd.run("DROP INDEX control.idx_users_entered_email");
        try {
            // When
            signingIn("person-777");

            // Then the plan of the other test is the index's doing
            Plan plan = planOfSignIn();
            assertTrue(plan.readsAll("user_t") || plan.readsAll("user_host_t"), plan.text());
        } finally {
            crowd.run(
                    "CREATE UNIQUE INDEX idx_users_email ON control.user_t (email_key) WHERE email_proved_ts IS NOT NULL");
            crowd.run("CREATE INDEX idx_users_entered_email ON control.user_t (email_key) WHERE email_key IS NOT NULL");
        }
    }

    private static List<String> usernames(String prefix) {
        return people.list(AccessDirectory.DEFAULT_HOST, prefix, false, 50, null).stream()
                .map(Person::username)
                .toList();
    }

    @Test
    void prefixOfUsernamesIsFoundByIndex() {
        // When
        List<String> found = usernames("PERSON-777");

        // Then
        assertEquals(11, found.size(), found.toString());
        assertEquals(List.of("Person-777", "Person-7770"), found.subList(0, 2));
        Plan plan = crowd.plans().last("ORDER BY u.username_key");
        assertTrue(plan.uses("idx_users_username_bytes"), plan.text());
        assertFalse(plan.readsAll("user_t"), plan.text());
    }

    @Test
    void prefixOfUsernamesIsComparedBytewiseWhateverTheCollation() {
        // Given a collation that ignores punctuation
        crowd.run("CREATE COLLATION control.words (provider = icu, locale = 'und-u-ka-shifted')");
        crowd.run("ALTER TABLE control.user_t ALTER COLUMN username_key TYPE varchar(64) COLLATE control.words");
        try {
            // Then
            assertEquals(List.of(), usernames("person."));
            assertEquals(11, usernames("person-777").size());
        } finally {
            crowd.run("ALTER TABLE control.user_t ALTER COLUMN username_key TYPE varchar(64) COLLATE \"default\"");
            crowd.run("DROP COLLATION control.words");
        }
    }

    @Test
    @Tag("I15")
    void ownedProjectsAreFoundByIndex() {
        // When
        var refused = assertThrows(
                ApiException.class,
                () -> people.remove(Caller.installation(AccessDirectory.NOTHING), Crowded.person(7), null, null));

        // Then
        assertTrue(refused.getMessage().contains("owns 20 projects"), refused.getMessage());
        Plan plan = crowd.plans().last("owner_id = ?");
        assertTrue(plan.uses("idx_projects_owner"), plan.text());
        assertFalse(plan.readsAll("project_t"), plan.text());
    }

    @Test
    @Tag("H3")
    void hostAndUserColumnsHaveForeignKeys() {
        assertEquals(List.of(), without("host_id", "host_t", "audit_log_t"));
        assertEquals(List.of(), without("user_id", "user_t", "audit_log_t"));
    }

    /** Tables with this column but no foreign key to that table. The audit log outlives its subjects. */
    private static List<String> without(String column, String target, String log) {
        return crowd.owner()
                .in(
                        Tenant.ALL,
                        transaction -> transaction.query(
                                """
                                WITH RECURSIVE led (id) AS (
                                  SELECT ('control.' || ?)::regclass::oid
                                  UNION SELECT c.conrelid FROM pg_constraint c JOIN led ON c.confrelid = led.id
                                  WHERE c.contype = 'f')
                                SELECT t.relname FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
                                WHERE t.relnamespace = 'control'::regnamespace AND t.relkind = 'r' AND a.attname = ?
                                  AND t.relname <> ? AND t.oid NOT IN (SELECT id FROM led)
                                """,
                                row -> {
                                    var found = new ArrayList<String>();
                                    while (row.next()) {
                                        found.add(row.getString(1));
                                    }
                                    return found;
                                },
                                target,
                                column,
                                log));
    }
}

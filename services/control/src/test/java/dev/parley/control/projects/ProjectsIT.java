package dev.parley.control.projects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.control.Crowded;
import dev.parley.control.audit.Audit;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.testkit.Plans.Plan;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Queries for projects among many others. */
final class ProjectsIT {
    private static Crowded crowd;
    private static Projects projects;

    @BeforeAll
    static void fill() {
        crowd = new Crowded();
        projects = new Projects(crowd.app(), crowd.rows(ProjectRows.class), crowd.published(), crowd.rows(Audit.class));
    }

    private static Caller caller(UUID user, boolean admin) {
        var person = new Account(AccessDirectory.DEFAULT_HOST, user, 1, "somebody", admin, true, null, null, null);
        var key = new AccessKey(
                KeyKind.SIGN_IN,
                AccessDirectory.DEFAULT_HOST,
                user,
                user,
                1,
                "key",
                "",
                null,
                List.of(AccessKey.ALL),
                null);
        return new Caller(person, key, AccessDirectory.NOTHING);
    }

    private static List<UUID> list(Caller caller, boolean all, @Nullable String path) {
        return projects.list(caller, all, false, path, 50, null).stream()
                .map(ProjectJson::id)
                .toList();
    }

    private static Plan plan() {
        return crowd.plans().last("FROM control.project_t p");
    }

    @Test
    @Tag("I15")
    void projectsOfAMemberAreFoundByIndex() {
        // When
        List<UUID> found = list(caller(Crowded.person(7), false), false, null);

        // Then
        assertEquals(20, found.size());
        assertEquals(Crowded.project(6), found.getFirst(), "the newest one");
        assertTrue(plan().uses("idx_project_members_user"), plan().text());
        assertFalse(plan().readsAll("project_t p") || plan().readsAll("project_member_t m"), plan().text());
    }

    @Test
    void limitsTheProjectsOfAnOwner() {
        // Given
        UUID user = Crowded.person(1_500);
        crowd.run("""
                INSERT INTO control.project_t (host_id, project_id, project_key, name, owner_id, update_user)
                SELECT '$h', md5('more ' || i)::uuid, md5('more ' || i)::uuid, 'More ' || i, '%s', 'test' FROM generate_series(1, 1000) i
                """.formatted(user));
        var content = new Projects.Content("one more", null, null, null, null, null, null, null, null);

        // When
        var refused = assertThrows(ApiException.class, () -> projects.create(caller(user, false), content));

        // Then
        assertEquals("too_many", refused.code());
        assertTrue(refused.getMessage().startsWith("You have 1000 projects"), refused.getMessage());
    }

    @Test
    @Tag("I15")
    void projectOfAPathIsFoundByIndex() {
        for (Caller caller : List.of(caller(Crowded.person(7), false), caller(AccessDirectory.ADMIN, true))) {
            assertEquals(List.of(Crowded.project(1_006)), list(caller, true, "/work/1006"));
            assertTrue(plan().uses("idx_projects_path"), plan().text());
            assertFalse(plan().readsAll("project_t p"), plan().text());
        }
    }
}

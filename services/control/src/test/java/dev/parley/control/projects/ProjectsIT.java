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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Queries for projects among many others. */
final class ProjectsIT {
    private static final Projects.Content ONE_MORE =
            new Projects.Content("one more", null, "local", "/work/one-more", null, null, null, null, null);

    private static Crowded crowd;
    private static Projects projects;

    @BeforeAll
    static void fill() {
        crowd = new Crowded();
        projects = new Projects(
                crowd.app(),
                crowd.rows(ProjectRows.class),
                crowd.published(),
                AccessDirectory.NOTHING,
                crowd.rows(Audit.class));
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
        addProjects(user, 1_000);

        // When
        var refused = assertThrows(ApiException.class, () -> projects.create(caller(user, false), ONE_MORE));

        // Then
        assertEquals("too_many", refused.code());
        assertTrue(refused.getMessage().startsWith("You have 1000 projects"), refused.getMessage());
    }

    private static void addProjects(UUID owner, int count) {
        crowd.run("""
                INSERT INTO control.project_t (host_id, project_id, project_key, name, owner_id, update_user)
                SELECT '$h', id, id, 'More', '%1$s', 'test'
                FROM generate_series(1, %2$d) i CROSS JOIN LATERAL (SELECT md5('%1$s ' || i)::uuid AS id) AS made
                """.formatted(owner, count));
    }

    @Test
    void concurrentCreationsDoNotExceedTheLimit() throws InterruptedException {
        // Given
        UUID user = Crowded.person(1_501);
        addProjects(user, 999);

        // When
        List<Future<String>> answers;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            answers = threads.invokeAll(Collections.<Callable<String>>nCopies(8, () -> create(user)));
        }

        // Then
        assertEquals(
                Map.of("created", 1L, "too_many", 7L),
                answers.stream()
                        .map(Future::resultNow)
                        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting())));
    }

    private static String create(UUID user) {
        try {
            projects.create(caller(user, false), ONE_MORE);
            return "created";
        } catch (ApiException e) {
            return e.code();
        } catch (RuntimeException e) {
            return e.toString();
        }
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

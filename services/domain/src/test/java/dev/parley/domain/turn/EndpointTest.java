package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.access.Access;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.ProjectRole;
import dev.parley.domain.definition.Endpoint;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Access to an endpoint, and validation of its URL and paths. */
class EndpointTest {
    private static final UUID HOST = Ids.of("host", "one");
    private static final UUID ANN = Ids.of("user", "ann");
    private static final UUID BOB = Ids.of("user", "bob");

    private static Endpoint endpoint(List<String> roles, List<UUID> users, List<String> projects) {
        return new Endpoint("crm", "https://crm.example", List.of("GET"), "{}", roles, users, projects);
    }

    private static Account person(boolean admin, boolean active) {
        return new Account(HOST, ANN, 1, "ann", admin, active, null, null, null);
    }

    private static @Nullable Member member(@Nullable ProjectRole role) {
        return role == null ? null : new Member(HOST, Ids.of("project", "p"), ANN, 1, role, List.of());
    }

    private static boolean annMay(Endpoint endpoint, @Nullable ProjectRole role) {
        return Access.isOpen(endpoint, "p", person(false, true), member(role));
    }

    @Test
    @Tag("A22")
    void endpointWithoutRestrictionsIsOpenToAll() {
        Endpoint open = endpoint(List.of(), List.of(), List.of());
        assertTrue(annMay(open, null));
        assertTrue(Access.isOpen(open, "p", null, null));
    }

    @Test
    @Tag("A22")
    void isOpenToListedRolesAndUsers() {
        Endpoint leaders = endpoint(List.of("admin", "owner", "captain"), List.of(BOB), List.of());
        assertTrue(annMay(leaders, ProjectRole.OWNER));
        assertTrue(annMay(leaders, ProjectRole.ADMIN));
        assertFalse(annMay(leaders, ProjectRole.MEMBER));
        assertFalse(annMay(leaders, null));
        assertTrue(annMay(endpoint(List.of("owner"), List.of(ANN), List.of()), null));
        assertFalse(annMay(endpoint(List.of(), List.of(BOB), List.of()), ProjectRole.OWNER));
    }

    @Test
    @Tag("A22")
    void isOpenInListedProjectsOnly() {
        Endpoint endpoint = endpoint(List.of(), List.of(), List.of("p"));
        assertTrue(annMay(endpoint, ProjectRole.VIEWER));
        assertFalse(annMay(endpoint, null));
        assertFalse(Access.isOpen(endpoint, "q", person(true, true), member(ProjectRole.OWNER)));
        assertFalse(Access.isOpen(endpoint(List.of(), List.of(ANN), List.of("q")), "p", person(false, true), null));
    }

    @Test
    @Tag("A22")
    void deniesUnknownUsersAndAllowsAdministrators() {
        Endpoint owners = endpoint(List.of("owner"), List.of(ANN), List.of());
        assertFalse(Access.isOpen(owners, "p", null, null));
        assertFalse(Access.isOpen(owners, "p", person(true, false), member(ProjectRole.OWNER)));
        assertTrue(Access.isOpen(endpoint(List.of("owner"), List.of(), List.of()), "p", person(true, true), null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://api.example.com",
                "http://10.0.0.5:8080/v1",
                "https://[2001:db8::1]:8443/a/b.c/~d",
                "https://h/...",
                "https://h/.well-known"
            })
    void acceptsAUrl(String url) {
        assertTrue(Endpoint.isUrl(url));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://api.example.com/",
                "https://api.example.com/v1/",
                "https://h//a",
                "https://user@h",
                "https://h?a=b",
                "https://h#a",
                "https://h/{a}",
                "https://h/../a",
                "https://h/a/..",
                "https://h/%2e%2e",
                "https://h/a;b",
                "https://h/a\\b",
                "ftp://h",
                "h",
                ""
            })
    void rejectsAnInvalidUrl(String url) {
        assertFalse(Endpoint.isUrl(url));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/users/{id}", "/users/{id}.json?v=2&f=a%20b", "/a//b", "/...", "/users/{a}-{b}/x"})
    void acceptsAPath(String path) {
        assertTrue(Endpoint.isPath(path));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "users",
                "?a=b",
                "@evil.example/",
                "https://evil.example/",
                "/..",
                "/../admin",
                "/a/./b",
                "/a/..?b",
                "/.\t./admin",
                "/%2e%2e/admin",
                "/..%2fadmin",
                "/..;/admin",
                "/..\\admin",
                "/a#b",
                "/a b",
                "/{a",
                "/{a b}",
                "/a\n",
                "/?{a}"
            })
    void rejectsAnInvalidPath(String path) {
        assertFalse(Endpoint.isPath(path));
    }

    @Test
    void rejectsTooLongPathsAndUrls() {
        assertTrue(Endpoint.isPath("/{a}".repeat(Endpoint.MAX_LENGTH / 4)));
        assertFalse(Endpoint.isPath("/a".repeat(Endpoint.MAX_LENGTH)));
        assertFalse(Endpoint.isUrl("https://h" + "/a".repeat(Endpoint.MAX_LENGTH)));
    }
}

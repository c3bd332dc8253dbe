package dev.parley.domain.access;

import static dev.parley.domain.access.Access.Decision.ALLOWED;
import static dev.parley.domain.access.Access.Decision.ARCHIVED;
import static dev.parley.domain.access.Access.Decision.FORBIDDEN;
import static dev.parley.domain.access.Access.Decision.HIDDEN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.access.Access.Decision;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AccessTest {
    private static final UUID HOST = Ids.of("host", "one");
    private static final UUID ANN = Ids.of("user", "ann");
    private static final UUID PROJECT = Ids.of("project", "p");

    private static Account person(UUID host, boolean admin, boolean active) {
        return new Account(host, ANN, 1, "ann", admin, active, null, null, null);
    }

    private static AccessKey key(@Nullable UUID project, String... permissions) {
        return new AccessKey(KeyKind.API_KEY, HOST, ANN, ANN, 1, "x", "", project, List.of(permissions), null);
    }

    private static Project project(boolean archived) {
        return new Project(
                HOST, PROJECT, 1, PROJECT.toString(), "P", archived, false, null, null, null, List.of(), false, null);
    }

    private static Member member(ProjectRole role, Rule... rules) {
        return new Member(HOST, PROJECT, ANN, 1, role, List.of(rules));
    }

    private static Decision decide(Capability capability, AccessKey key, @Nullable Member member) {
        return Access.inProject(capability, person(HOST, false, true), key, project(false), member);
    }

    @ParameterizedTest
    @EnumSource(ProjectRole.class)
    void roleGrantsItsCapabilitiesAndHigherRolesIncludeThem(ProjectRole role) {
        for (Capability capability : projects()) {
            assertEquals(
                    role.allows(capability) ? ALLOWED : FORBIDDEN,
                    decide(capability, key(null, AccessKey.ALL), member(role)),
                    capability + " for " + role);
            for (ProjectRole higher : ProjectRole.values()) {
                if (higher.compareTo(role) > 0 && role.allows(capability)) {
                    assertTrue(higher.allows(capability), capability + " for " + higher);
                }
            }
        }
    }

    private static List<Capability> projects() {
        return Arrays.stream(Capability.values()).filter(Capability::inProject).toList();
    }

    /** Listed in full, so that a change of a role requires a change here. */
    @Test
    @Tag("I18")
    @Tag("I19")
    void eachRoleHasTheCapabilitiesOfThisList() {
        // Given
        String viewer = "agent.read file.read member.read memory.read project.read session.read workflow.read";
        String member = viewer + " file.write memory.write session.create session.send session.share workflow.run";
        String admin = member + " agent.manage audit.read bot.manage bot.read member.manage ops.read project.export"
                + " project.update session.read_all workflow.manage";
        var expected = Map.of(
                ProjectRole.VIEWER, viewer,
                ProjectRole.MEMBER, member,
                ProjectRole.ADMIN, admin,
                ProjectRole.OWNER, admin + " project.delete");

        // Then
        expected.forEach((role, codes) -> assertEquals(
                Stream.of(codes.split(" ")).sorted().toList(),
                Stream.of(Capability.values())
                        .filter(role::allows)
                        .map(Capability::code)
                        .sorted()
                        .toList(),
                role.code()));
    }

    @Test
    void ruleOverridesTheRole() {
        Member allowed = member(ProjectRole.VIEWER, new Rule("session.create", true));
        Member denied = member(ProjectRole.OWNER, new Rule("project.delete", false));
        assertEquals(ALLOWED, decide(Capability.SESSION_CREATE, key(null, AccessKey.ALL), allowed));
        assertEquals(FORBIDDEN, decide(Capability.PROJECT_DELETE, key(null, AccessKey.ALL), denied));
    }

    @Test
    void keyIsLimitedByItsPermissionsAndByItsUsersRole() {
        assertEquals(ALLOWED, decide(Capability.SESSION_READ, key(null, "session.read"), member(ProjectRole.VIEWER)));
        assertEquals(FORBIDDEN, decide(Capability.SESSION_SEND, key(null, "session.read"), member(ProjectRole.OWNER)));
        assertEquals(FORBIDDEN, decide(Capability.SESSION_SEND, key(null, "session.send"), member(ProjectRole.VIEWER)));
        assertEquals(FORBIDDEN, decide(Capability.PROJECT_READ, key(null), member(ProjectRole.OWNER)));
    }

    @Test
    void hidesProjectsThatTheCallerCannotAccess() {
        // Given
        var keyForAll = key(null, AccessKey.ALL);

        // Then
        for (Capability capability : projects()) {
            assertEquals(HIDDEN, decide(capability, keyForAll, null), "not a member");
            assertEquals(
                    HIDDEN,
                    decide(capability, key(Ids.of("other"), AccessKey.ALL), member(ProjectRole.OWNER)),
                    "a key of another project");
            assertEquals(
                    HIDDEN,
                    Access.inProject(capability, person(HOST, true, true), keyForAll, null, null),
                    "no project");
            assertEquals(
                    HIDDEN,
                    Access.inProject(
                            capability,
                            person(Ids.of("host", "two"), true, true),
                            keyForAll,
                            project(false),
                            member(ProjectRole.OWNER)),
                    "another host's administrator");
            assertEquals(
                    HIDDEN,
                    Access.inProject(
                            capability,
                            person(HOST, true, false),
                            keyForAll,
                            project(false),
                            member(ProjectRole.OWNER)),
                    "somebody who was removed");
        }
    }

    @Test
    void anAdministratorMayDoEverythingInTheHost() {
        var admin = person(HOST, true, true);
        for (Capability capability : Capability.values()) {
            var key = key(null, AccessKey.ALL, Capability.MCP_ANSWER.code());
            assertEquals(
                    ALLOWED,
                    capability.inProject()
                            ? Access.inProject(capability, admin, key, project(false), null)
                            : Access.inHost(capability, admin, key));
        }
    }

    @Test
    void wildcardKeyDoesNotGrantMcpAnswer() {
        assertFalse(key(null, AccessKey.ALL).opens(Capability.MCP_ANSWER));
        assertTrue(key(PROJECT, "mcp.answer").opens(Capability.MCP_ANSWER));
    }

    @Test
    void anArchivedProjectIsReadOnly() {
        var owner = member(ProjectRole.OWNER);
        for (Capability capability : projects()) {
            Decision decision = Access.inProject(
                    capability, person(HOST, false, true), key(null, AccessKey.ALL), project(true), owner);
            assertEquals(capability.reads() ? ALLOWED : ARCHIVED, decision, capability.code());
        }
    }

    @Test
    void userManagesOwnKeysWithoutBeingAdministrator() {
        var ann = person(HOST, false, true);
        assertEquals(ALLOWED, Access.inHost(Capability.KEY_MANAGE, ann, key(null, AccessKey.ALL)));
        assertEquals(FORBIDDEN, Access.inHost(Capability.USER_MANAGE, ann, key(null, AccessKey.ALL)));
        assertEquals(
                FORBIDDEN,
                Access.inHost(Capability.KEY_MANAGE, ann, key(PROJECT, AccessKey.ALL)),
                "a key of one project");
        assertEquals(FORBIDDEN, Access.inHost(Capability.PROJECT_CREATE, person(HOST, true, false), key(null, "*")));
    }

    @ParameterizedTest
    @EnumSource(Capability.class)
    void aCapabilityIsFoundByItsCode(Capability capability) {
        assertEquals(capability, Capability.of(capability.code()).orElseThrow());
    }
}

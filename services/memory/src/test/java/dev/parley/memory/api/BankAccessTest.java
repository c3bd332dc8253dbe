package dev.parley.memory.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.domain.access.ProjectRole;
import dev.parley.domain.bank.BankRef;
import dev.parley.memory.api.BankService.Doing;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rights to read, write and manage a bank. */
@Tag("M1")
class BankAccessTest {
    private static final UUID HOST = Ids.of("host", "one");
    private static final UUID ANN = Ids.of("user", "ann");
    private static final UUID PROJECT = Ids.of("project", "p");

    private static final BankRef OWN = bank(null, ANN.toString());
    private static final BankRef OWN_WITH_AGENT = bank("cook", ANN.toString());
    private static final BankRef ANOTHERS = bank(null, Ids.of("user", "bob").toString());
    private static final BankRef AGENTS = bank("cook", null);
    private static final BankRef HOSTS = new BankRef(HOST, null, null, null);

    private static BankRef bank(@Nullable String agent, @Nullable String user) {
        return new BankRef(HOST, "p", agent, user);
    }

    /** A host with one project, of which Ann may be a member. */
    private record OneProject(boolean archived, @Nullable ProjectRole role) implements AccessDirectory {
        @Override
        public Optional<Account> account(UUID host, UUID user) {
            return Optional.empty();
        }

        @Override
        public Optional<AccessKey> key(String prefix) {
            return Optional.empty();
        }

        @Override
        public Optional<Project> project(String projectKey) {
            return projectKey.equals("p")
                    ? Optional.of(new Project(
                            HOST, PROJECT, 1, "p", "P", archived, false, null, null, null, List.of(), false, null))
                    : Optional.empty();
        }

        @Override
        public Optional<Member> member(UUID project, UUID user) {
            return role == null ? Optional.empty() : Optional.of(new Member(HOST, PROJECT, ANN, 1, role, List.of()));
        }

        @Override
        public Optional<Setting> setting(UUID host, String name) {
            return Optional.empty();
        }

        @Override
        public void catchUp() {
            // nothing to read
        }
    }

    private static Caller ann(AccessDirectory directory, boolean admin, @Nullable UUID project, String... permissions) {
        return new Caller(
                new Account(HOST, ANN, 1, "ann", admin, true, null, null, null),
                new AccessKey(KeyKind.API_KEY, HOST, ANN, ANN, 1, "x", "", project, List.of(permissions), null),
                directory);
    }

    private static Caller member(ProjectRole role) {
        return ann(new OneProject(false, role), false, null, AccessKey.ALL);
    }

    /** The outcomes of reading, writing and managing. */
    private static String outcomes(Caller caller, BankRef bank) {
        return Arrays.stream(Doing.values())
                .map(doing -> {
                    try {
                        BankService.require(caller, bank, doing);
                        return "yes";
                    } catch (ApiException e) {
                        return e.code();
                    }
                })
                .collect(Collectors.joining(" "));
    }

    @Test
    void projectRoleDeterminesRightsToOwnAndAgentBanks() {
        assertEquals("yes forbidden forbidden", outcomes(member(ProjectRole.VIEWER), OWN));
        assertEquals("yes forbidden forbidden", outcomes(member(ProjectRole.VIEWER), AGENTS));
        assertEquals("yes yes yes", outcomes(member(ProjectRole.MEMBER), OWN));
        assertEquals("yes yes yes", outcomes(member(ProjectRole.MEMBER), OWN_WITH_AGENT));
        assertEquals("yes yes forbidden", outcomes(member(ProjectRole.MEMBER), AGENTS));
        assertEquals("yes yes yes", outcomes(member(ProjectRole.ADMIN), AGENTS));
    }

    @Test
    void hidesBanksThatTheCallerCannotAccess() {
        // Given
        String hidden = "unknown_bank unknown_bank unknown_bank";
        Caller admin = ann(new OneProject(false, ProjectRole.OWNER), true, null, AccessKey.ALL);

        // Then
        assertEquals(hidden, outcomes(member(ProjectRole.OWNER), ANOTHERS));
        assertEquals(hidden, outcomes(admin, ANOTHERS), "nor for an administrator");
        assertEquals(hidden, outcomes(member(ProjectRole.OWNER), HOSTS));
        assertEquals("yes yes yes", outcomes(admin, HOSTS));
        assertEquals(hidden, outcomes(admin, new BankRef(Ids.of("host", "two"), null, null, null)));
        Caller outsider = ann(new OneProject(false, null), false, null, AccessKey.ALL);
        assertEquals(hidden, outcomes(outsider, AGENTS));
        assertEquals(hidden, outcomes(outsider, OWN), "who has left the project has left it");
        assertEquals(hidden, outcomes(member(ProjectRole.OWNER), new BankRef(HOST, "gone", "cook", null)));
    }

    @Test
    void keyLimitsRightsAndArchivedProjectsAreReadOnly() {
        // Given
        var directory = new OneProject(false, ProjectRole.OWNER);

        // Then
        assertEquals("yes forbidden forbidden", outcomes(ann(directory, false, null, "memory.read"), OWN));
        assertEquals("yes yes forbidden", outcomes(ann(directory, false, null, "memory.read", "memory.write"), AGENTS));
        assertEquals("forbidden forbidden forbidden", outcomes(ann(directory, true, null, "session.read"), HOSTS));
        assertEquals("yes yes yes", outcomes(ann(directory, false, PROJECT, AccessKey.ALL), OWN));
        assertEquals(
                "unknown_bank unknown_bank unknown_bank",
                outcomes(ann(directory, false, Ids.of("another"), AccessKey.ALL), OWN),
                "a key of another project");
        assertEquals(
                "forbidden forbidden forbidden",
                outcomes(ann(directory, true, PROJECT, AccessKey.ALL), HOSTS),
                "a key of one project opens nothing beyond it");
        Caller owner = ann(new OneProject(true, ProjectRole.OWNER), false, null, AccessKey.ALL);
        assertEquals("yes project_archived project_archived", outcomes(owner, OWN));
    }
}

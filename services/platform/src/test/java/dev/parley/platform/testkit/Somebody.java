package dev.parley.platform.testkit;

import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.domain.access.ProjectRole;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.Caller;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A user who is not an administrator, in the default project, whose sessions are shared. */
public final class Somebody {
    private Somebody() {}

    /** A caller with this role. */
    public static Caller with(String name, ProjectRole role) {
        UUID user = Ids.of("user", name);
        var person = new Account(AccessDirectory.DEFAULT_HOST, user, 1, name, false, true, null, null, null);
        var key = new AccessKey(
                KeyKind.SIGN_IN,
                AccessDirectory.DEFAULT_HOST,
                user,
                user,
                1,
                name,
                "",
                null,
                List.of(AccessKey.ALL),
                null);
        return new Caller(person, key, new Only(person, key, role));
    }

    private record Only(Account person, AccessKey key, ProjectRole role) implements AccessDirectory {
        @Override
        public Optional<Account> account(UUID host, UUID user) {
            return Optional.of(person).filter(account -> account.user().equals(user));
        }

        @Override
        public Optional<AccessKey> key(String prefix) {
            return Optional.of(key).filter(accessKey -> accessKey.prefix().equals(prefix));
        }

        @Override
        public Optional<Project> project(String projectKey) {
            return NOTHING.project(projectKey)
                    .map(project -> new Project(
                            project.host(),
                            project.project(),
                            1,
                            projectKey,
                            project.name(),
                            false,
                            true,
                            null,
                            null,
                            null,
                            List.of(),
                            false,
                            null));
        }

        @Override
        public Optional<Member> member(UUID project, UUID user) {
            return Optional.of(new Member(AccessDirectory.DEFAULT_HOST, project, user, 1, role, List.of()));
        }

        @Override
        public Optional<Setting> setting(UUID host, String name) {
            return Optional.empty();
        }

        @Override
        public void catchUp() {
            // nothing changes
        }
    }
}

package dev.parley.platform.testkit;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.platform.access.AccessDirectory;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Every project is there, whatever its key; nobody else is. */
public final class EveryProject implements AccessDirectory {
    @Override
    public Optional<Account> account(UUID host, UUID user) {
        return Optional.empty();
    }

    @Override
    public Optional<AccessKey> key(String prefix) {
        return Optional.empty();
    }

    @Override
    public Optional<Project> project(String key) {
        return Optional.of(new Project(
                DEFAULT_HOST,
                RecordKey.projectId(key),
                1,
                key,
                key,
                false,
                false,
                null,
                null,
                null,
                List.of(),
                false,
                null));
    }

    @Override
    public Optional<Member> member(UUID project, UUID user) {
        return Optional.empty();
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

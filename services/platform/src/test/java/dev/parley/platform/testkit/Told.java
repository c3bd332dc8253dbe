package dev.parley.platform.testkit;

import dev.parley.domain.access.AccessRecord;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.platform.access.AccessDirectory;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** What everybody knows, as a test says it. */
public final class Told implements AccessDirectory {
    private final Map<String, AccessRecord> records = new ConcurrentHashMap<>();

    /** This is so from now on. */
    public void say(AccessRecord record) {
        records.put(record.key(), record);
    }

    /** There is nothing under this key any more. */
    public void forget(String key) {
        records.remove(key);
    }

    private <T extends AccessRecord> Optional<T> find(Class<T> type, String key) {
        return Optional.ofNullable(records.get(key)).map(type::cast);
    }

    @Override
    public Optional<Account> account(UUID host, UUID user) {
        return find(Account.class, Account.key(host, user));
    }

    @Override
    public Optional<AccessKey> key(String prefix) {
        return find(AccessKey.class, AccessKey.key(prefix));
    }

    @Override
    public Optional<Project> project(String projectKey) {
        return find(Project.class, Project.key(projectKey));
    }

    @Override
    public Optional<Member> member(UUID project, UUID user) {
        return find(Member.class, Member.key(project, user));
    }

    @Override
    public Optional<Setting> setting(UUID host, String name) {
        return Optional.empty();
    }

    @Override
    public void catchUp() {
        // all is known at once
    }
}

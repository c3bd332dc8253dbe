package dev.parley.platform.testkit;

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

/** What hosts have set, as it would stand on the topic; nobody and nothing else is known. */
public final class SettingsOnly implements AccessDirectory {
    private final Map<String, Setting> settings = new ConcurrentHashMap<>();

    /** Sets a setting. */
    public SettingsOnly set(UUID host, String name, String json) {
        settings.put(Setting.key(host, name), new Setting(host, name, 1, json));
        return this;
    }

    @Override
    public Optional<Setting> setting(UUID host, String name) {
        return Optional.ofNullable(settings.get(Setting.key(host, name)));
    }

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
        return NOTHING.project(projectKey);
    }

    @Override
    public Optional<Member> member(UUID project, UUID user) {
        return Optional.empty();
    }

    @Override
    public void catchUp() {}
}

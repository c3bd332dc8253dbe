package dev.parley.platform.access;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.domain.access.TimeZones;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Looks up people, keys and projects. Implementations do not block. */
public interface AccessDirectory extends TimeZones {
    /** The default tenant of an installation. */
    UUID DEFAULT_HOST = Ids.of("host", "default");

    /** The user of the administrator's key of the installation. */
    UUID ADMIN = Ids.of("user", "admin");

    /** The default project of an installation. */
    Project DEFAULT_PROJECT = new Project(
            DEFAULT_HOST,
            RecordKey.projectId(RecordKey.DEFAULT_PROJECT),
            0,
            RecordKey.DEFAULT_PROJECT,
            "Default",
            false,
            false,
            null,
            null,
            null,
            List.of(),
            false,
            null);

    /** The key of the default project of a host. */
    static String defaultProject(UUID host) {
        return host.equals(DEFAULT_HOST) ? RecordKey.DEFAULT_PROJECT : host.toString();
    }

    /** A directory with the default project only. */
    AccessDirectory NOTHING = new AccessDirectory() {
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
            return projectKey.equals(RecordKey.DEFAULT_PROJECT) ? Optional.of(DEFAULT_PROJECT) : Optional.empty();
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
            // nothing to catch up with
        }
    };

    /** A user of a host. */
    Optional<Account> account(UUID host, UUID user);

    @Override
    default ZoneId of(UUID host, @Nullable String user) {
        return user != null && Ids.isId(user)
                ? account(host, Ids.parse(user)).map(Account::zone).orElse(UTC)
                : UTC;
    }

    /** The user of a host with this username, whatever its case. */
    default Optional<Account> accountNamed(UUID host, String username) {
        return Optional.empty();
    }

    /** The key with this prefix; it may have expired. */
    Optional<AccessKey> key(String prefix);

    /** A project by the first part of its record keys. */
    Optional<Project> project(String projectKey);

    /** Whether a project with this key was erased. */
    default boolean isErased(String projectKey) {
        return false;
    }

    /** A member of a project. */
    Optional<Member> member(UUID project, UUID user);

    /** A setting of a host. */
    Optional<Setting> setting(UUID host, String name);

    /** Waits up to 1 s for recent records, so that a key created by another process works at once. */
    void catchUp();
}

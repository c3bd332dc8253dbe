package dev.parley.platform.access;

import dev.parley.domain.access.AccessRecord;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicFollower;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the topic {@code access}: all of it is in memory before {@link #start} returns; changes arrive within a
 * second.
 */
public final class AccessFollower implements AccessDirectory, Service {
    private static final Logger LOG = LoggerFactory.getLogger(AccessFollower.class);

    /** Reading a million people takes some seconds. */
    private static final Duration START = Duration.ofMinutes(2);

    private static final Duration CATCH_UP_TIMEOUT = Duration.ofSeconds(1);

    private final TopicFollower<AccessRecord> follower;
    private final Map<String, AccessRecord> records = new ConcurrentHashMap<>();
    /** Erased people and projects. */
    private final Map<String, AccessRecord> erased = new ConcurrentHashMap<>();
    /** Ids of the projects whose changes are copied. */
    private final Map<String, UUID> followed = new ConcurrentHashMap<>();
    /** Projects with a checkout. */
    private final Map<String, Project> checkouts = new ConcurrentHashMap<>();

    public AccessFollower(KafkaClients clients) {
        this.follower = new TopicFollower<>(clients, Topics.ACCESS, new Changes(), START);
    }

    /** Applies the records of the topic. */
    private final class Changes implements TopicFollower.Listener<AccessRecord> {
        @Override
        public void accept(String key, @Nullable AccessRecord record, Instant writtenAt) {
            update(key, record);
        }

        /** Whoever has rights by an older state of the record has none until it is readable: it may take them away. */
        @Override
        public void refuse(String key, SerializationException problem) {
            AccessRecord known = records.get(key);
            if (known != null && grantsRights(known)) {
                records.remove(key);
                LOG.atError().addKeyValue("key", key).log("rights are withdrawn: their newest record is unreadable");
            }
        }
    }

    private static boolean grantsRights(AccessRecord record) {
        return switch (record) {
            case Account _, Member _, AccessKey _ -> true;
            case Project _, Setting _ -> false; // without a budget, or an archived project, people could do more
        };
    }

    @Override
    public String name() {
        return "access";
    }

    @Override
    public void start() {
        follower.start();
    }

    private void update(String key, @Nullable AccessRecord record) {
        AccessRecord newest = null;
        if (record == null) {
            records.remove(key);
        } else {
            newest = records.merge(key, record, (before, now) -> now.version() >= before.version() ? now : before);
            if (isErased(record)) {
                erased.put(key, record);
            }
        }
        index(followed, key, newest instanceof Project project && project.projectChanges() ? project.project() : null);
        index(checkouts, key, newest instanceof Project project && project.checkout() != null ? project : null);
    }

    private static <T> void index(Map<String, T> index, String key, @Nullable T value) {
        if (value == null) {
            index.remove(key);
        } else {
            index.put(key, value);
        }
    }

    private static boolean isErased(AccessRecord record) {
        return switch (record) {
            case Account account -> account.erasure() != null;
            case Project project -> project.erasure() != null;
            case Member _, AccessKey _, Setting _ -> false;
        };
    }

    /** Erased people and projects, each with the id of its erasure. */
    public Collection<AccessRecord> erasedRecords() {
        return Collections.unmodifiableCollection(erased.values());
    }

    /** Ids of the projects whose changes are copied to {@code project-changes}. */
    public Set<UUID> followedProjects() {
        return Set.copyOf(followed.values());
    }

    /** Projects with a checkout. */
    public List<Project> withCheckout() {
        return List.copyOf(checkouts.values());
    }

    /** Projects whose sessions are removed some time after their last activity. */
    public List<Project> withRetention() {
        return records.values().stream()
                .filter(record -> record instanceof Project project && project.retentionDays() != null)
                .map(Project.class::cast)
                .toList();
    }

    /**
     * Whether a record is up to date.
     *
     * @param version the expected version or a later one, or null for no record
     */
    public boolean shows(String key, @Nullable Long version) {
        AccessRecord record = records.get(key);
        return version == null ? record == null : record != null && record.version() >= version;
    }

    @Override
    public Optional<Account> account(UUID host, UUID user) {
        return Optional.ofNullable((Account) records.get(Account.key(host, user)));
    }

    @Override
    public Optional<AccessKey> key(String prefix) {
        return Optional.ofNullable((AccessKey) records.get(AccessKey.key(prefix)));
    }

    @Override
    public Optional<Project> project(String projectKey) {
        return Optional.ofNullable((Project) records.get(Project.key(projectKey)))
                .filter(project -> project.erasure() == null)
                .or(() -> NOTHING.project(projectKey));
    }

    @Override
    public boolean isErased(String projectKey) {
        return erased.containsKey(Project.key(projectKey));
    }

    @Override
    public Optional<Member> member(UUID project, UUID user) {
        return Optional.ofNullable((Member) records.get(Member.key(project, user)));
    }

    @Override
    public Optional<Setting> setting(UUID host, String name) {
        return Optional.ofNullable((Setting) records.get(Setting.key(host, name)));
    }

    /** Keys of records that have to be published again, since the newest installation key has not signed them. */
    public Set<String> outdated() {
        return follower.outdated();
    }

    /** The members of a project. */
    public List<Member> members(UUID project) {
        return all(Member.class)
                .filter(member -> member.project().equals(project))
                .toList();
    }

    /** The users of a host. */
    public Stream<Account> accounts(UUID host) {
        return all(Account.class).filter(account -> account.host().equals(host));
    }

    @Override
    public Optional<Account> accountNamed(UUID host, String username) {
        return accounts(host)
                .filter(account -> account.active() && account.name().equalsIgnoreCase(username))
                .findFirst();
    }

    private <T extends AccessRecord> Stream<T> all(Class<T> type) {
        return records.values().stream().filter(type::isInstance).map(type::cast);
    }

    @Override
    public void catchUp() {
        follower.catchUp(CATCH_UP_TIMEOUT);
    }

    @Override
    public Optional<String> problem() {
        return follower.problem();
    }

    @Override
    public void close() {
        follower.close();
    }
}
